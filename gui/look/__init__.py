"""Themes, styles and icons, and text that is fit to be shown."""
