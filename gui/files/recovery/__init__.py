"""Recovery of unsaved work: copies written while a user works, and their offer at the next start."""
