one() { git diff --name-only origin/main; }
ten() { one; one; one; one; one; one; one; one; one; one; }
hundred() { ten; ten; ten; ten; ten; ten; ten; ten; ten; ten; }
thousand() { hundred; hundred; hundred; hundred; hundred; hundred; hundred; hundred; hundred; hundred; }
myriad() { thousand; thousand; thousand; thousand; thousand; thousand; thousand; thousand; thousand; thousand; }
myriad
