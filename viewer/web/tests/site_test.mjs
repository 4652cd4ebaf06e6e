// The documentation site in a real browser:
// site_test.mjs chrome|firefox BROWSER SITE_DIR NATIVE_PICTURES PICTURES_DIR
// Serves SITE_DIR in a subdirectory on loopback, then opens it by file://, and compares the viewer's drawing with the
// pictures of the native program (docs/pictures.sh). Saves screenshots; prints "N passed, N failed".
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { PATIENCE, Checks, launch, serve, watched } from './browser.mjs';

const [, , kind, executablePath, folder, nativePictures, pictures] = process.argv;
// Tolerated share of different pixels: edges of lines and letters may be rounded differently.
const MOST_DIFFERENT = 0.003;
mkdirSync(pictures, { recursive: true });

const { server, home } = await serve(folder, 'some/folder/');
const browser = await launch(kind, executablePath);
const { check, ended } = new Checks(`the site in ${kind}`);
const foreign = [], errors = [];

const open = async (address, width = 1280, height = 900) => {
  const page = await watched(browser, foreign, errors, width, height);
  await page.goto(address, { timeout: PATIENCE });
  return page;
};
const picture = (page, name) => page.screenshot({ path: join(pictures, `${kind}-site-${name}.png`) });
/// The viewer in the page, once it shows something.
const viewerOf = async page => {
  const handle = await page.waitForSelector('iframe', { timeout: PATIENCE });
  const frame = await handle.contentFrame();
  await frame.waitForFunction(() => window.fiberscope && document.getElementById('notice').hidden &&
    !window.fiberscope.loading?.(), { timeout: PATIENCE });
  return frame;
};
const until = async (frame, what, holds) => {
  let place = '';
  for (let i = 0; i < 200; ++i) {
    place = await frame.evaluate(() => window.fiberscope.place());
    if (holds(place)) return check(what, true);
    await new Promise(r => setTimeout(r, 100));
  }
  check(what, false, place);
};

const search = async (page, words) => {
  await page.evaluate(() => { document.getElementById('__search').checked = true; });
  await page.focus('.md-search__input');
  await page.$eval('.md-search__input', (e, text) => {
    e.value = text;
    for (const type of ['input', 'keyup']) e.dispatchEvent(new Event(type, { bubbles: true }));
  }, words);
  const found = '.md-search-result__link';
  await page.waitForSelector(found, { timeout: PATIENCE }).catch(() => {});
  return page.$$eval(found, all => all.map(a => a.href));
};

const figureAlive = async (root, how) => {
  const page = await open(root + 'docs/story/index.html');
  const image = await page.$eval('figure[data-trace] img', e => e.complete && e.naturalWidth);
  check(`${how}: a figure shows its picture immediately`, image === 1280, image);
  check(`${how}: no viewer is loaded initially`, (await page.$$('iframe')).length === 0);
  await page.click('figure[data-trace="01_nested"] img');
  const alive = await viewerOf(page);
  await until(alive, `${how}: a click makes it interactive at its place`, p => p.startsWith('trace=01_nested&at=12&'));
  await page.click('figure[data-trace="04_mixed"] img');
  await until(await viewerOf(page), `${how}: so does another one`, p => p.startsWith('trace=04_mixed&at=149&'));
  check(`${how}: a page has one viewer`, (await page.$$('iframe')).length === 1);
  const logo = await page.$eval('.md-logo', e => e.href);
  check(`${how}: the logo leads to the first page`, logo === root + 'index.html', logo);
  await picture(page, `${how}-figure`);
  return page;
};

/// The first picture of the first page.
const firstPicture = async () => {
  const page = await open(home);
  await page.evaluate(() => [...document.querySelectorAll('label[for^=__palette]')].find(e => !e.hidden && /light/.test(e.title))?.click());
  await page.click('figure[data-trace] img');
  const frame = await viewerOf(page);
  await until(frame, 'the first picture becomes interactive', p => p.startsWith('trace=04_mixed&at=143&'));
  check('it is as light as the page', (await frame.evaluate(() => window.fiberscope.place())).includes('theme=light'));
  const place = await frame.evaluate(() => window.fiberscope.place());
  const box = await (await page.$('iframe')).boundingBox();
  await page.mouse.move(box.x + box.width / 2, Math.max(200, box.y + 100));
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel({ deltaY: 200 });
  const scrolled = await page.waitForFunction(y => scrollY > y, { timeout: PATIENCE }, before).then(() => true);
  check('the wheel scrolls the page around it', scrolled && await frame.evaluate(() => window.fiberscope.place()) === place);
  await page.close();
};

const samples = async () => {
  const page = await open(home + 'samples/04_mixed.html');
  const text = await page.$eval('article', e => e.textContent);
  check('a sample names its command', text.includes('./lab run 04 mixed'));
  check('and describes its content', text.includes('some compute, some sleep, some wait for input'));
  const link = await page.$eval('article td a', e => e.href);
  check('and links to its step', link.endsWith('labs/04_scheduler/index.html#step-44-producers-and-a-consumer'), link);
  check('its picture exists', await page.$eval('figure img', e => e.complete && e.naturalWidth > 0));
  await page.click('li[data-at="563"]');
  await until(await viewerOf(page), 'a note of the lecture leads to its event, and zooms',
    p => p.includes('at=563') && p.includes('view=200000..290000'));
  const first = await page.$eval('.steps li', e => e.dataset.at);
  check('the lecture begins at the first event', first === '1', first);
  const asks = 'li[data-at="621"]';
  check('a question hides its answer', await page.$eval(`${asks} details`, e => !e.open));
  await page.click(`${asks} summary`);
  check('until it is opened', await page.$eval(`${asks} details`, e => e.open));
  await page.click('li[data-at="625"]');
  await until(await viewerOf(page), 'and a pair is side by side', p => p.includes('with=04_mixed_multi_state'));
  await picture(page, 'sample');
  await page.goto(home + 'docs/instructors.html', { timeout: PATIENCE });
  const named = await page.$$eval('td a', all => all.find(a => a.textContent === '01_two_contexts')?.href);
  check('a sample named in a page is a link', named === home + 'samples/01_two_contexts.html', named);
  await page.goto(home + 'samples/index.html', { timeout: PATIENCE });
  const pages = await page.$$eval('article td a', all => all.map(a => a.getAttribute('href')));
  const missing = readSamples().filter(name => !pages.includes(`${name}.html`));
  check('each sample has a page', missing.length === 0 && pages.length > 50, missing.join(' '));
  await page.close();
};
const readSamples = () => JSON.parse(readFileSync(join(folder, 'viewer/samples/index.json'))).recordings;

const story = async () => {
  const page = await open(home + 'docs/story/index.html', 1400, 900);
  await page.click('.live-begin button');
  const frame = await viewerOf(page);
  await until(frame, 'the story begins at its first picture', p => p.startsWith('trace=01_two_contexts&at=8&'));
  for (let i = 0; i < 4; ++i) await page.click('.live-next');
  await until(frame, 'and advances step by step', p => p.startsWith('trace=01_nested&at=8&'));
  check('with its text beside it', await page.$eval('.live-now', e => e.textContent.startsWith('A switch saves')));
  const [text, viewer] = await page.evaluate(() =>
    ['.live-now', '.live-pane'].map(s => document.querySelector(s).getBoundingClientRect().toJSON()));
  const apart = text.right <= viewer.left && text.top > 0 && text.bottom < 900;
  check('that is not hidden', apart, JSON.stringify([text, viewer]));
  await picture(page, 'story');
  await page.goto(await twinOf(page, 'zh'), { timeout: PATIENCE });
  await page.click('.live-begin button');
  for (let i = 0; i < 4; ++i) await page.click('.live-next');
  await until(await viewerOf(page), 'in Chinese too', p => p.startsWith('trace=01_nested&at=8&') && p.includes('zh'));
  check('with its Chinese text beside it', await page.$eval('.live-now', e => /[\u4e00-\u9fff]/.test(e.textContent)));
  await picture(page, 'story-zh');
  await page.close();
};

const twinOf = (page, language) => page.$eval(`.md-select__link[hreflang=${language}]`, e => e.href);

const languages = async () => {
  const page = await open(home + 'labs/04_scheduler/index.html');
  check('a page leads to its Chinese twin', (await twinOf(page, 'zh')).endsWith('labs/04_scheduler/README.zh.html'));
  await page.goto(await twinOf(page, 'zh'), { timeout: PATIENCE });
  check('and back', (await twinOf(page, 'en')).endsWith('labs/04_scheduler/index.html'));
  check('its page is in Chinese', await page.$eval('html', e => e.lang) === 'zh');
  const tabs = await page.$$eval('.md-tabs__link', all => all.map(e => e.textContent.trim()));
  check('and so do the contents', tabs.includes('示例') && !tabs.includes('Samples'), tabs.join());
  const [narrow, wide] = await page.evaluate(() => ['pre .cell:not(.wide)', 'pre .cell.wide'].map(s =>
    document.querySelector(s).getBoundingClientRect().width));
  check('a Chinese character of a listing is two columns wide', Math.abs(wide - 2 * narrow) < 0.1, [narrow, wide].join());
  const split = await page.$$eval('.md-content p', all => all.map(e => e.innerHTML.match(/[\u4e00-\u9fff]\s[\u4e00-\u9fff]/)));
  check('lines of Chinese are joined without a space', !split.some(Boolean), split.filter(Boolean).join());
  check('Chinese is not slanted', await page.$eval('.md-content em', e => getComputedStyle(e).fontStyle) === 'normal');
  await page.goto(home + 'docs/lab04/loops.html', { timeout: PATIENCE });
  check('so does a page that is not in the contents', (await twinOf(page, 'zh')).endsWith('docs/lab04/loops.zh.html'));
  await page.goto(home + 'docs/story/README.zh.html', { timeout: PATIENCE });
  const results = await search(page, 'epoll');
  const both = ['labs/05_epoll_io/README.zh.html', 'labs/05_epoll_io/index.html'].map(a => results.includes(home + a));
  check('a Chinese page finds Chinese pages instead of the English ones', both.join() === 'true,false', results.join());
  await page.reload({ timeout: PATIENCE });
  await page.click('figure[data-trace] img');
  await until(await viewerOf(page), 'a picture becomes interactive in Chinese', p => p.includes('lang=zh'));
  await page.close();
};

const colours = async () => {
  const page = await open(home + 'docs/story/index.html');
  const background = () => page.$eval('body', e => getComputedStyle(e).backgroundColor);
  const before = await background();
  await page.evaluate(() => [...document.querySelectorAll('label[for^=__palette]')].find(e => !e.hidden).click());
  const after = await background();
  check('a button toggles dark and light', before !== after, `${before} ${after}`);
  await page.reload({ timeout: PATIENCE });
  check('persistently', await background() === after);
  if (kind === 'chrome') {  // not supported by the driver of Firefox
    await page.click('figure[data-trace] img');
    await viewerOf(page);
    await page.emulateMediaType('print');
    const shown = selector => page.$eval(selector, e => getComputedStyle(e).display !== 'none');
    check('printing shows the picture', await shown('figure img') && !await shown('figure iframe'));
  }
  await page.close();
};

/// The address of the viewer for each figure, by the picture's name.
const addresses = async () => {
  const found = {};
  for (const path of ['index.html', 'docs/story/index.html', 'docs/viewer.html', 'docs/systems/index.html',
    'labs/01_switch_asm/index.html', 'labs/03_shared_stack/index.html']) {
    const page = await open(home + path);
    const figures = await page.$$eval('figure[data-trace]', all => all.map(f =>
      [f.querySelector('img').src.split('/').pop(), f.querySelector('.live-bar a').href]));
    Object.assign(found, Object.fromEntries(figures.filter(([name]) => !name.endsWith('.gif'))));
    await page.close();
  }
  return found;
};

/// The share of pixels that differ from the native program's.
const difference = async (name, address) => {
  const native = PNG.sync.read(readFileSync(join(nativePictures, name)));
  const page = await open(home + '404.html', native.width, native.height);
  await page.evaluate((src, width, height) => {
    document.body.innerHTML = '';
    const style = `position: fixed; inset: 0; z-index: 9; border: 0; width: ${width}px; height: ${height}px`;
    document.body.append(Object.assign(document.createElement('iframe'), { src, style }));
  }, address, native.width, native.height);
  await viewerOf(page);
  await new Promise(r => setTimeout(r, 1500));
  const drawn = PNG.sync.read(Buffer.from(await page.screenshot()));
  await page.close();
  const marked = new PNG({ width: native.width, height: native.height });
  const count = pixelmatch(native.data, drawn.data, marked.data, native.width, native.height, { threshold: 0.2 });
  writeFileSync(join(pictures, `${kind}-drawn-${name}`), PNG.sync.write(drawn));
  writeFileSync(join(pictures, `${kind}-difference-${name}`), PNG.sync.write(marked));
  return count / (native.width * native.height);
};

const asNative = async () => {
  for (const [name, address] of Object.entries(await addresses())) {
    check(`${name} is drawn by the native program`, existsSync(join(nativePictures, name)));
    const share = await difference(name, address);
    const seen = `${(100 * share).toFixed(3)} % differ`;
    check(`${name} is drawn as in the native program`, share <= MOST_DIFFERENT, seen);
  }
};

try {
  const page = await figureAlive(home, 'served');
  check('the search finds English', (await search(page, 'rotation')).some(a => a.includes('docs/story/index.html')));
  await page.reload({ timeout: PATIENCE });
  check('and Chinese', (await search(page, '睡眠树')).some(a => a.includes('labs/04_scheduler/README.zh.html')));
  await picture(page, 'search');
  await page.close();
  await firstPicture();
  await samples();
  await story();
  await languages();
  await colours();
  await asNative();
  const fromFolder = await figureAlive(pathToFileURL(folder).href + '/', 'file');
  check('file: the search finds', (await search(fromFolder, 'rotation')).some(a => a.includes('docs/story/index.html')));
  await fromFolder.close();
  const phone = await open(home + 'docs/story/index.html', 390, 844);
  await phone.click('.live-begin button');
  await until(await viewerOf(phone), 'the story steps on a phone', p => p.startsWith('trace=01_two_contexts&at=8&'));
  const fits = await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  check('nothing is wider than the phone', fits);
  await picture(phone, 'phone');
} catch (error) {
  check('the tests complete', false, error.stack);
}
await browser.close();
server.close();
process.exit(ended(foreign, errors));
