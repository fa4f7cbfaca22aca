// Makes bundle.js, bundle.css and served.js in the folder OUT from the modules of this folder, with the packages in MODULES.
// The script ../bundle starts it: node bundle.js MODULES OUT
// The first line of each file has the hash of all modules, so that a test without node can detect an outdated file.
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2);
const {buildSync} = createRequire(join(modules, "esbuild", "package.json"))("esbuild");

/// Returns the hash of all modules, in the order of their names.
function hashOfSources() {
  const hash = createHash("sha256");
  const sources = readdirSync(here).filter((name) => /\.(js|css|json)$/.test(name)).sort();
  for (const name of sources) hash.update(readFileSync(join(here, name)));
  return hash.digest("hex");
}

/// Returns one script without imports, and its style.
function bundled(module, options) {
  return buildSync({
    entryPoints: [join(here, module)],
    nodePaths: [modules],
    outdir: out,
    bundle: true,
    charset: "utf8",
    format: "iife",
    legalComments: "none",
    minify: true,
    target: ["chrome100", "firefox100", "safari15"],
    write: false,
    ...options,
  }).outputFiles;
}

function write(name, {text}) {
  writeFileSync(join(out, name), `/* made by browser/bundle.js from sources with sha256 ${hashOfSources()} */\n${text}`);
}

for (const file of bundled("main.js", {globalName: "page"})) write(file.path.endsWith(".css") ? "bundle.css" : "bundle.js", file);
write("served.js", bundled("explore.js")[0]);
