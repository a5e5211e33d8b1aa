"""PowerShell scripts, read over guarded values: `front.interpret` is the way in."""
