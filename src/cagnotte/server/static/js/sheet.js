// Style that comes with a page which is fetched when somebody opens it.

/** Have a style sheet of ours; resolves when it can be drawn with, or cannot be had. @param {string} name @returns {Promise<void>} */
export function sheet(name) {
  const href = new URL(`../css/${name}.css`, import.meta.url).href;
  if ([...document.styleSheets].some((one) => one.href === href)) return Promise.resolve();
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}
