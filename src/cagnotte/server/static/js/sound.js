// Sounds: few, made here, and off until wanted. While they are off, or nothing sounds, no audio device is kept awake.
import { effect } from "./html.js";
import { settings } from "./keep.js";

/** @typedef {import("./types.js").Event} Event */

const QUIET = 1500; // ms after the last sound
const TOGETHER = 70; // ms within which the same sound is one

/** @type {AudioContext | null} */
let context = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let rests;
/** When each was last heard. @type {Record<string, number>} */
const heard = {};

effect(() => {
  if (settings.value.sound) return;
  context?.close();
  context = null;
});

/** A tone that dies away. @param {AudioContext} to @param {number} hz @param {number} seconds @param {{after?: number, loud?: number, wave?: OscillatorType, down?: number}} [how] */
function tone(to, hz, seconds, { after = 0, loud = 0.12, wave = "sine", down = hz } = {}) {
  const [source, volume, at] = [to.createOscillator(), to.createGain(), to.currentTime + after];
  source.type = wave;
  source.frequency.setValueAtTime(hz, at);
  source.frequency.exponentialRampToValueAtTime(down, at + seconds);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  source.connect(volume).connect(to.destination);
  source.start(at);
  source.stop(at + seconds);
}

/** A card put down: a short breath of noise. @param {AudioContext} to */
function rustle(to) {
  const noise = to.createBuffer(1, to.sampleRate * 0.07, to.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const [source, band, volume] = [to.createBufferSource(), to.createBiquadFilter(), to.createGain()];
  source.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = 1800;
  volume.gain.value = 0.35;
  source.connect(band).connect(volume).connect(to.destination);
  source.start();
}

/** @type {Record<string, (to: AudioContext) => void>} */
const SOUNDS = {
  turn: (to) => [660, 880].forEach((hz, i) => tone(to, hz, 0.22, { after: i * 0.11 })),
  card: rustle,
  chip: (to) => [2300, 3450].forEach((hz, i) => tone(to, hz, 0.12, { after: i * 0.03, loud: 0.05 })),
  fear: (to) => [98, 147].forEach((hz) => tone(to, hz, 1.1, { loud: 0.2, wave: "triangle", down: hz * 0.8 })),
  won: (to) => [523, 659, 784, 1047].forEach((hz, i) => tone(to, hz, 0.35, { after: i * 0.1, loud: 0.1 })),
};

/** What is heard of an event, if anything. @param {Event} event @param {number | null} me */
function named({ kind, fear, actor, phase }, me) {
  if (kind === "turn") return actor === me && me !== null && phase !== "over" ? "turn" : null;
  if (kind === "turned") return fear ? "fear" : "card";
  if (kind === "deal_won" || kind === "won") return "won";
  return { laid: "card", paid: "chip" }[kind] ?? null;
}

/** Let an event be heard, where sounds are wanted. @param {Event} event @param {number | null} me */
export function hear(event, me) {
  const name = settings.peek().sound && named(event, me);
  const now = performance.now();
  if (!name || now - (heard[name] ?? -Infinity) < TOGETHER || typeof AudioContext === "undefined") return;
  heard[name] = now;
  context ??= new AudioContext();
  const to = context;
  clearTimeout(rests);
  to.resume().then(() => SOUNDS[name]?.(to), () => {});
  rests = setTimeout(() => to === context && to.suspend(), QUIET);
}
