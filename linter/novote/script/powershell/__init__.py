"""PowerShell scripts, read over guarded values: `front.run_text` is the way in."""
