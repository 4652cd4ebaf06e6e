// Performance of the page: bars_test.mjs BROWSER PAGE_DIR LARGE_RECORDING NATIVE_SECONDS [--strict]
// Runs in Chromium without a graphics processor. Prints each figure with its limit; fails only with --strict, on an
// otherwise idle computer. The native viewer takes NATIVE_SECONDS to draw LARGE_RECORDING.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { PATIENCE, launch, serve, watched } from './browser.mjs';

const [, , executablePath, folder, large, nativeSeconds, strict] = process.argv;
const { server, home } = await serve(folder);
const browser = await launch('chrome', executablePath);
let over = 0;
const tell = (what, value, unit, bar) => {
  if (value > bar) over += 1;
  const verdict = value > bar ? 'NOT KEPT' : 'kept';
  console.log(`${what.padEnd(36)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(8)} bar ${bar} ${verdict}`);
};
const shown = page => page.waitForFunction(() => window.fiberscope && document.getElementById('notice').hidden &&
  !window.fiberscope.loading?.(), { timeout: PATIENCE });

const page = await watched(browser, [], [], 1280, 720);
await page.goto(home + '#trace=04_mixed&at=300', { timeout: PATIENCE });
await shown(page);
tell('first picture, once the wasm is loaded', await page.evaluate(async () => {
  await new Promise(requestAnimationFrame);
  const wasm = performance.getEntriesByType('resource').find(e => e.name.endsWith('viewer.wasm'));
  return (performance.now() - wasm.responseEnd) / 1000;
}), 's', 0.5);

tell('frame at 1280x720, 99 of 100', await page.evaluate(() => {
  const { viewer } = window.fiberscope;
  const drawn = document.getElementById('canvas').getContext('2d');
  viewer.ccall('viewer_resize', null, ['number', 'number'], [1280, 720]);
  const times = [];
  for (let i = 0; i < 300; ++i) {  // each at another place and zoom
    const from = 600 * i, to = from + 400000 / (1 + i % 20);
    const place = `trace=04_mixed&at=${(7 * i) % 1100}&view=${from}..${Math.round(to)}`;
    viewer.ccall('viewer_go', null, ['string'], [place]);
    const begin = performance.now();
    viewer.ccall('viewer_frame', 'number', ['number'], [1]);
    drawn.getImageData(0, 0, 1, 1);  // waits until it is drawn
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(0.99 * times.length)];
}), 'ms', 16);

const events = readFileSync(large, 'latin1').match(/"t":/g).length;
const heap = () => page.evaluate(() => window.fiberscope.viewer.HEAP8?.length ?? 0);
const name = large.split('/').pop().replace('.json', '');
const before = await heap();
const input = await page.$('#file');
const begin = Date.now();
await input.uploadFile(large);
await page.waitForFunction(n => location.hash.includes(n), { timeout: PATIENCE }, name);
await page.waitForFunction(n => window.fiberscope.place().includes(n), { timeout: PATIENCE }, name);
await shown(page);
tell(`${events} events, of the native time`, (Date.now() - begin) / 1000 / Number(nativeSeconds), 'times', 4);
const after = await heap();
if (after) tell('memory, with the file', (after - before) / events, 'B/event', 150);
await browser.close();
server.close();
process.exit(over > 0 && strict === '--strict' ? 1 : 0);
