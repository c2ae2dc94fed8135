// Lighthouse on home and on a table, as on a phone: `cd tools/lighthouse && npm install --ignore-scripts && node run.mjs URL`,
// where URL is a running `cagnotte serve`. CHROME_PATH names the browser. Ends with 1 where a score is less than wanted.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const WANTED = { performance: 95, accessibility: 100, "best-practices": 100 };
const url = new URL(process.argv[2] ?? "http://127.0.0.1:8000/");

const seats = ["person", "steady", "steady", "steady"];
const body = JSON.stringify({ game: "fan-tan", players: 4, seats, name: "Ann" });
const headers = { "Content-Type": "application/json" };
const { table } = await (await fetch(new URL("api/tables", url), { method: "POST", headers, body })).json();

const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const chrome = await launch({ chromeFlags: flags });
for (const page of [url, new URL(`t/${table}`, url)]) {
  const { lhr } = await lighthouse(page.href, { port: chrome.port, onlyCategories: Object.keys(WANTED), logLevel: "error" });
  if (lhr.runtimeError) console.log(page.pathname, lhr.runtimeError.message);
  const scores = Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(100 * score)]);
  console.log(page.pathname, scores.map(([name, score]) => `${name} ${score}`).join(", "));
  for (const name of ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "speed-index", "total-byte-weight"])
    console.log(`  ${name}: ${lhr.audits[name].displayValue}`);
  for (const { auditRefs } of Object.values(lhr.categories))
    for (const { id, weight } of auditRefs)
      if (weight && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9) {
        const { title, score, displayValue, details } = lhr.audits[id];
        console.log(`  ${score} ${title} ${displayValue ?? ""} ${JSON.stringify(details?.items?.slice(0, 2) ?? []).slice(0, 300)}`);
      }
  if (scores.some(([name, score]) => score < WANTED[name])) process.exitCode = 1;
}
console.log(`this machine: ${await power()} (a desktop has 1500 and more, and a busy machine much less; it tells on performance)`);
chrome.kill();

/** Lighthouse's own measure of the machine. */
async function power() {
  const { lhr } = await lighthouse(new URL("healthz", url).href, { port: chrome.port, onlyAudits: ["is-on-https"], logLevel: "error" });
  return lhr.environment.benchmarkIndex;
}
