"""What a run leaves behind while it goes on: progress, and later the result store."""
