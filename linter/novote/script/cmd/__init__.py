"""Scripts of the Windows command prompt, read over guarded values: `front.run_text` is the way in."""
