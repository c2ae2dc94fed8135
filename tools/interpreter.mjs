// The Python that plays in a browser without a network: `node tools/interpreter.mjs FOLDER`, where FOLDER is the unpacked
// npm package `pyodide`. It is taken as it is, and packed as a browser gets it; but of the standard library only the modules
// that our rules load, compiled.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [from, to] = [process.argv[2], join(root, "src/cagnotte/server/python")];
const { loadPyodide } = await import(pathToFileURL(join(from, "pyodide.mjs")).href);
const python = await loadPyodide();

const sources = join(root, "src");
for (const name of readdirSync(join(sources, "cagnotte"), { recursive: true })) {
  const path = join(sources, "cagnotte", name);
  if (!/\.(py|json)$/.test(name) || /^(__main__|cli|commands|guests|options|server|study|terminal)\b/.test(name)) continue; // as SHELLS of pages.py
  const place = `/ours/${relative(sources, path)}`;
  python.FS.mkdirTree(dirname(place));
  python.FS.writeFile(place, readFileSync(path));
}
const whole = new Uint8Array(readFileSync(join(from, "python_stdlib.zip")));
python.unpackArchive(whole, "zip", { extractDir: "/unpacked" }); // as the worker unpacks our rules, and loads what that needs
python.FS.writeFile("/library.zip", whole);

const library = python.runPython(`
import sys
sys.path.append("/ours")
import json, random, secrets
from cagnotte.alone import Desk
from cagnotte.games import GAMES

desk, now = Desk(random.SystemRandom()), 0.0
for game, lang in ((game, lang) for game in GAMES for lang in ("en", "fr")):  # play, and see what it takes
    entries = json.loads(desk.open(game, json.dumps({"game": game, "name": "É", "lang": lang})))["entries"]
    answer = json.loads(desk.hear(game, now, json.dumps({"type": "hello", "lang": lang})))
    while desk.tables[game].table.state != "over":
        table = desk.tables[game].table
        if answer["due"] is None and table.wait().what == "go":
            answer = json.loads(desk.hear(game, now, json.dumps({"type": "go", "seen": table.version})))
        elif answer["due"] is None:
            move = str(table.game.view(table.play, 0).moves[0])
            act = {"type": "act", "id": str(table.version), "seen": table.version, "move": move}
            desk.hear(game, now, json.dumps({"type": "hint"}))
            answer = json.loads(desk.hear(game, now, json.dumps(act)))
        else:
            now = max(now, answer["due"])
            answer = json.loads(desk.tick(game, now))
        entries += answer["entries"]
    desk.restore(game, json.dumps(entries))
    desk.replay(json.dumps(entries), json.dumps({"lang": lang}))
needed = {getattr(module, "__file__", None) for module in sys.modules.values()} - {None}

import importlib._bootstrap_external as importing, io, zipfile
home = "/lib/" + next(part for part in sys.path if part.endswith(".zip")).rpartition("/")[2] + "/"
source, packed = zipfile.ZipFile("/library.zip"), io.BytesIO()
with zipfile.ZipFile(packed, "w") as made:
    for name in sorted(path.removeprefix(home) for path in needed if path.startswith(home)):
        code = compile(source.read(name), home + name, "exec", dont_inherit=True, optimize=2)
        compiled = importing._code_to_hash_pyc(code, bytes(8), checked=False)
        made.writestr(zipfile.ZipInfo(name + "c", (2000, 1, 1, 0, 0, 0)), compiled, zipfile.ZIP_DEFLATED, 9)
packed.getvalue()
`);
writeFileSync(join(to, "library.zip"), library.toJs());
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) {
  const file = readFileSync(join(from, name));
  const plain = name.endsWith(".mjs") ? file.toString().replace(/^\/\/# sourceMappingURL=.*\n?/m, "") : file;
  writeFileSync(join(to, `${name}.gz`), gzipSync(plain, { level: 9 }));
}
