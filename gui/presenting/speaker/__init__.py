"""What the speaker sees on a screen of their own: notes, this step and the next, a clock."""
