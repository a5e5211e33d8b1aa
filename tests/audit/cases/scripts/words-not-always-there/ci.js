import { spawnSync } from "node:child_process";
const branch = process.env.BRANCH ?? "";
const words = ["jest"];
if (branch.startsWith("quick/")) words.push("--testPathPattern=unit");
const done = spawnSync("npx", words, { stdio: "inherit" });  // # expect: claim-picks-fixtures claim=branch
process.exit(done.status);
