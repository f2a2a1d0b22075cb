"""The stage: what an audience sees and how it is led, imported when a presentation begins."""
