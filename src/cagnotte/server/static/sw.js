// The shell of the page without a network. It keeps what is the same for everybody, and nothing of any table.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const VERSION = "{{version}}";
const ROOT = new URL("./", worker.location.href);
// Caches belong to all of an origin, where another Cagnotte may be below another path.
const SHELL = `${ROOT.pathname} shell ${VERSION}`;
const ENGINE = `${ROOT.pathname} engine `; // and its version; there only when somebody asked for it
const PATIENCE = 4000; // ms for the server to answer, where something is kept to fall back on

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(ROOT.href)) return;
  const path = url.slice(ROOT.href.length);
  if (mode === "navigate") {
    if (!/^(api|static|python)\/|^healthz/.test(path)) event.respondWith(page(event.request, path));
  } else if (/^(static|python)\//.test(path)) {
    event.respondWith(file(event.request));
  } else if (/^api\/(games|offline|locale\/|rules\/)/.test(path)) {
    event.respondWith(text(event.request));
  }
});

async function install() {
  const { version, shell, engine } = await (await fetch(new URL("api/offline", ROOT), { cache: "no-cache" })).json();
  if (version !== VERSION) throw new Error("another version is served by now");
  await fill(SHELL, shell);
  // Whoever can play without a network still can after an update.
  if ((await caches.keys()).some((name) => name.startsWith(ENGINE))) await fill(ENGINE + version, engine);
  await worker.skipWaiting();
}

/** @param {string} name @param {string[]} paths */
async function fill(name, paths) {
  const cache = await caches.open(name);
  const missing = [];
  for (const path of paths) {
    const address = new URL(path, ROOT).href;
    const old = path.startsWith("python/") ? await caches.match(address) : undefined;
    if (old) await cache.put(address, old);
    else missing.push(new Request(address, { cache: /^(static|python)\//.test(path) ? "default" : "no-cache" }));
  }
  await cache.addAll(missing);
}

async function activate() {
  const current = [SHELL, ENGINE + VERSION];
  const ours = (await caches.keys()).filter((name) => name.startsWith(`${ROOT.pathname} `));
  await Promise.all(ours.filter((name) => !current.includes(name)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** From the network, as long as it answers in time and the server is well. @param {Request} request */
async function asked(request) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), PATIENCE));
  const answer = await Promise.race([fetch(request), late]);
  if (answer.status >= 500) throw new Error(`${answer.status}`);
  return answer;
}

/** @param {Request} request @param {string} path */
async function page(request, path) {
  try {
    return await asked(request);
  } catch (error) {
    const depth = path.replace(/[?#].*/, "").split("/").length - 1;
    const kept = await caches.match(new URL(["", "t/-", "t/-/replay"][depth] ?? "", ROOT).href);
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
const file = async (request) => (await caches.match(request.url)) ?? fetch(request);

/** @param {Request} request */
async function text(request) {
  try {
    return await asked(request);
  } catch (error) {
    const kept = await caches.match(request.url);
    if (!kept) throw error;
    const headers = new Headers(kept.headers);
    headers.set("X-Kept", VERSION); // so the page knows that the server did not say it
    return new Response(await kept.blob(), { status: 200, headers });
  }
}
