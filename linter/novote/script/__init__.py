"""What scripts do, over guarded values: bash, JavaScript, Python and PowerShell, read and never run."""
