// The page in a real browser: page_test.mjs chrome|firefox BROWSER PAGE_DIR SHARED_PAGE PICTURES_DIR
// Serves PAGE_DIR on loopback, tests the behaviour of the page, and saves screenshots. Prints "N passed, N failed".
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PATIENCE, Checks, launch, serve, watched } from './browser.mjs';

const [, , kind, executablePath, folder, sharedPage, pictures] = process.argv;
mkdirSync(pictures, { recursive: true });

const { server, home } = await serve(folder);
const browser = await launch(kind, executablePath);
const { check, ended } = new Checks(`the page in ${kind}`);
const foreign = [], errors = [];
const open = async (address, width = 1280, height = 720) => {
  const page = await watched(browser, foreign, errors, width, height);
  await page.goto(address, { timeout: PATIENCE });
  await ready(page);
  return page;
};
const ready = page => page.waitForFunction(
  () => window.fiberscope && document.getElementById('notice').hidden && !window.fiberscope.loading(),
  { timeout: PATIENCE });
const place = page => page.evaluate(() => Object.fromEntries(new URLSearchParams(window.fiberscope.place())));
const until = async (page, what, holds) => {
  for (let i = 0; i < 200; ++i) {
    if (holds(await place(page))) return check(what, true);
    await new Promise(r => setTimeout(r, 100));
  }
  check(what, false, JSON.stringify(await place(page)));
};
const go = async (page, hash) => {
  await page.evaluate(h => { location.hash = h; }, hash);
  await new Promise(r => setTimeout(r, 50));
  await ready(page);
};
const tap = (page, key, keyCode) => page.evaluate((key, keyCode) => {  // pressed and released within one frame
  for (const type of ['keydown', 'keyup']) canvas.dispatchEvent(new KeyboardEvent(type, { key, keyCode, bubbles: true }));
}, key, keyCode);
const picture = async (page, name) => {
  await new Promise(r => setTimeout(r, 500));
  await page.screenshot({ path: join(pictures, `${kind}-${name}.png`) });
};

/// With fingers on a screen.
const touch = async page => {
  const lanes = await (await page.$('#canvas')).boundingBox();
  const finger = { x: Math.round(lanes.x + 0.6 * lanes.width), y: Math.round(lanes.y + 0.3 * lanes.height) };
  const swipe = async (...fingers) => {  // each from [x, y], by [dx, dy]
    const touches = [];
    for (const [x, y] of fingers) touches.push(await page.touchscreen.touchStart(x, y));
    for (let i = 1; i <= 8; ++i)
      for (const [n, [x, y, dx, dy]] of fingers.entries()) await touches[n].move(Math.round(x + dx * i / 8), Math.round(y + dy * i / 8));
    for (const touch of touches) await touch.end();
  };
  let seen = await place(page);
  const kept = p => p.at === seen.at && p.select === seen.select && p.pin === seen.pin;
  await swipe([finger.x, finger.y, -80, 0]);
  await until(page, 'one finger pans, and does nothing else', p => p.view !== seen.view && kept(p));
  seen = await place(page);
  await swipe([finger.x - 20, finger.y, -60, 0], [finger.x + 20, finger.y, 60, 0]);
  await until(page, 'two fingers zoom, and do nothing else', p => p.view !== seen.view && kept(p));
  const words = await page.evaluate(() => window.fiberscope.words());
  await swipe([finger.x, finger.y, 0, -90]);
  await page.waitForFunction(w => window.fiberscope.words() !== w, { timeout: PATIENCE }, words);
  await until(page, 'a vertical swipe scrolls the lanes', kept);
  await page.touchscreen.tap(finger.x, finger.y);
  await until(page, 'a tap moves the playhead', p => p.at !== seen.at);
};

try {
  let page = await open(home);
  check('without a place no file is open', !(await place(page)).trace);
  await picture(page, 'welcome');
  await page.focus('#canvas');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.keyboard.type('dark or', { delay: 50 });
  await picture(page, 'palette');
  await tap(page, 'Enter', 13);
  await until(page, 'the palette finds an action', p => p.theme === 'light');
  await page.focus('#copy');
  await page.keyboard.press('t');
  check('a key on a button of the page does not reach the viewer', (await place(page)).theme === 'light');
  await page.focus('#canvas');
  const top = (await (await page.$('#canvas')).boundingBox()).y;
  await page.mouse.click(60, top + 140);
  await until(page, 'a click opens an offered recording', p => p.trace);

  await go(page, 'trace=01_nested&at=12&select=2');
  await until(page, 'a link sets the event and the coroutine', p => p.at === '12' && p.select === '2');
  await picture(page, 'nested');
  await page.focus('#canvas');
  await page.keyboard.press('ArrowRight');
  await until(page, 'a step advances by one event', p => p.at === '13');
  await page.waitForFunction(() => location.hash.includes('at=13'), { timeout: PATIENCE });
  check('the URL follows', true);
  const before = (await place(page)).view;
  const box = await (await page.$('#canvas')).boundingBox();
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.3 * box.height);
  await page.mouse.wheel({ deltaY: -300 });
  await until(page, 'the wheel zooms', p => p.view !== before);
  check('the wheel does not scroll the page', await page.evaluate(() => scrollY === 0));

  await page.keyboard.press('e');
  await page.waitForFunction(() => window.fiberscope.words().includes('labs/01_switch_asm/README.md:'), { timeout: PATIENCE });
  check('E opens the section of the handout', true);
  await picture(page, 'handout');
  await page.keyboard.press('Escape');
  check('the sentence at the playhead is text of the page',
    await page.waitForFunction(() => /event 13 of/.test(document.getElementById('sentences').textContent), { timeout: PATIENCE }));
  await page.keyboard.press('Tab');
  check('Tab leaves the canvas', await page.evaluate(() => document.activeElement !== canvas));
  await page.focus('#canvas');
  await page.evaluate(() => canvas.dispatchEvent(new KeyboardEvent('keypress',  // "]" of a German keyboard
    { key: ']', charCode: 93, keyCode: 93, ctrlKey: true, altKey: true, bubbles: true })));
  await until(page, 'a character typed with AltGr arrives', p => p.at !== '13');

  await go(page, 'trace=04_mixed&with=04_mixed_go&at=300');
  await until(page, 'two recordings are side by side', p => p.with === '04_mixed_go' && p.at === '300');
  await picture(page, 'beside');
  await page.goBack();
  await ready(page);
  await until(page, 'back goes back', p => p.trace === '01_nested' && !p.with);

  await go(page, 'trace=04_mixed&trace=04_mixed_go&at=300');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowRight');
  await until(page, 'the place in another tab begins with its recording',  // the last `trace` is the other one
    p => p.trace === '04_mixed' && p.at === '1');
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.getElementById('with').value === '04_mixed_go', { timeout: PATIENCE });

  await go(page, 'trace=06_three_stores&lang=zh');
  check('the page is in Chinese', (await page.$eval('#copy', e => e.textContent)) === '复制链接');
  await picture(page, 'chinese');

  const frames = await page.evaluate(async () => {
    const ask = window.requestAnimationFrame;
    let asked = 0;
    await new Promise(r => setTimeout(r, 1500));
    window.requestAnimationFrame = f => { asked += 1; return ask(f); };
    await new Promise(r => setTimeout(r, 1500));
    window.requestAnimationFrame = ask;
    return asked;
  });
  check('no frame is drawn while idle', frames === 0, `${frames} frames`);

  const broken = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['{'], 'broken.json'));
    return data;
  });
  await page.evaluate(data => window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true })), broken);
  await page.waitForFunction(() => document.getElementById('said').textContent.includes('broken.json'), { timeout: PATIENCE });
  check('a dropped invalid file is reported in a sentence', true);
  await picture(page, 'broken');

  const turns = await page.evaluate(async () => {  // counts the page's tasks while a large recording is read
    const lines = ['{"fiberscope":1,', '"events":['];
    const many = 400000;
    for (let t = 0; t < many; ++t) lines.push(`{"t":${t},"m":0,"ev":"note","text":"${t % 100}"}${t + 1 < many ? ',' : ''}`);
    lines.push('],', `"end":{"events":${many},"dropped":0}}`);
    const data = new DataTransfer();
    data.items.add(new File([lines.join('\n')], 'large.json'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    const later = ms => new Promise(r => setTimeout(r, ms));
    while (!window.fiberscope.loading()) await later(1);
    let turns = 0, longest = 0;
    for (let last = performance.now(); window.fiberscope.loading(); ++turns) {
      await later(1);
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return { turns, longest };
  });
  // Would be 1 if the recording were read at once; depends on the load of the computer.
  check('a large recording is read in slices', turns.turns > 3, JSON.stringify(turns));
  console.log(`400,000 events: ${turns.turns} turns of the page while they were read, at most ${Math.round(turns.longest)} ms apart`);
  await until(page, 'and then shown', p => p.trace === 'large');
  await picture(page, 'large');
  await page.click('#copy');
  const answers = async words => page.waitForFunction(w => document.getElementById('said').textContent.includes(w),
    { timeout: PATIENCE }, words).then(() => true);
  check('a link to a file of the user is refused', await answers('large 是你自己的文件'));
  await page.close();

  page = await open(home + '#trace=04_mixed&at=300&view=100000..200000', 390, 844);
  await until(page, 'a phone shows the place', p => p.at === '300');
  await picture(page, 'phone');
  if (kind === 'chrome') await touch(page);  // not supported by the driver of Firefox
  await page.close();

  page = await watched(browser, foreign, errors, 1280, 720);
  await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(home + '#trace=01_nested', { timeout: PATIENCE });
  await ready(page);
  await page.click('#copy');
  await page.waitForFunction(() => document.getElementById('said').textContent === 'Link copied.', { timeout: PATIENCE });
  check('a link is copied without the newer interface', true);
  await page.close();

  page = await browser.newPage();
  await page.evaluateOnNewDocument(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind === '2d' ? real.call(this, kind, ...more) : null;
    };
  });
  await page.goto(home + '#trace=01_nested', { timeout: PATIENCE });
  await ready(page);
  await new Promise(r => setTimeout(r, 500));
  const colours = await page.$eval('#canvas', e => {
    const { data } = e.getContext('2d').getImageData(0, 0, e.width, e.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  check('it draws without WebGL', colours > 100, `${colours} colours`);
  await picture(page, 'no-webgl');
  await page.close();

  page = await open(pathToFileURL(sharedPage).href);
  await until(page, 'a shared page opens by file://, and shows its first recording', p => p.trace && !p.with);
  await page.focus('#canvas');
  await page.keyboard.press('c');
  await until(page, 'C puts its recordings side by side', p => p.with === '50% c++&<!--<script>');
  await picture(page, 'shared');
  await go(page, 'lang=zh');
  await until(page, '#lang=zh alone switches to Chinese', p => p.trace && p.lang === 'zh');
  await page.click('#language');
  await until(page, 'and in English again', p => p.trace && !p.lang);
  await page.close();

  page = await watched(browser, foreign, errors, 1280, 720);
  await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'language', { get: () => 'zh-CN' }));
  await page.goto(home + '#trace=01_nested', { timeout: PATIENCE });
  await ready(page);
  const drawn = (await page.evaluate(async () => (await fetch('fonts/chinese.otf')).ok)) ? 'zh' : undefined;
  await until(page, 'a page uses the language of the browser', p => p.lang === drawn);
  await go(page, 'trace=01_nested&lang=en');
  await until(page, 'unless the link sets another', p => !p.lang);
  await page.close();

  page = await open(pathToFileURL(join(folder, 'index.html')).href + '#trace=04_mixed&at=300');
  await until(page, 'and a page in a directory opens by file://', p => p.trace === '04_mixed' && p.at === '300');
  await page.close();
} catch (error) {
  check('the tests complete', false, error.stack);
}
await browser.close();
server.close();
process.exit(ended(foreign, errors));
