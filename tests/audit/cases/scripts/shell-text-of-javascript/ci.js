const { execSync } = require("child_process");
let line = "cd web && npx jest";
if (process.env.BRANCH.startsWith("quick/")) line += " -t smoke";
execSync(line);  // # expect: claim-picks-fixtures claim=branch
