// Makes ../bundle.js and ../bundle.css, which the program carries, from the modules of this folder:
//     npm ci && npm run bundle
// The first line of each names the hash of what it was made from, by which a test without node sees whether it is current.
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {buildSync} from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

function hashOfSources() {
  const hash = createHash("sha256");
  const sources = readdirSync(here).filter((name) => /\.(js|css|json)$/.test(name)).sort();
  for (const name of sources) hash.update(readFileSync(join(here, name)));
  return hash.digest("hex");
}

const folder = process.argv[2] ?? join(here, "..");
const made = buildSync({
  entryPoints: [join(here, "main.js")],
  outdir: folder,
  bundle: true,
  charset: "utf8",
  format: "iife",
  legalComments: "none",
  minify: true,
  target: ["chrome100", "firefox100", "safari15"],
  write: false,
});
for (const file of made.outputFiles) {
  const name = file.path.endsWith(".css") ? "bundle.css" : "bundle.js";
  writeFileSync(join(folder, name), `/* made by page/bundle.js from sources with sha256 ${hashOfSources()} */\n${file.text}`);
}
