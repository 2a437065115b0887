"""What has come how far, what waits or was set aside, and the two decisions about a batch that are a person's."""
