"""The command line without the window: each verb takes its options, prints, and returns its exit status."""
