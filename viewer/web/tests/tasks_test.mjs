// The tasks of docs/instructors.md that the browser version supports, executed in a real browser as described in its
// table:
// tasks_test.mjs chrome|firefox BROWSER PAGE_DIR INSTRUCTORS PICTURES_DIR. Prints "N passed, N failed".
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATIENCE, Checks, launch, serve, watched } from './browser.mjs';

const [, , kind, executablePath, folder, instructors, pictures] = process.argv;
mkdirSync(pictures, { recursive: true });
const [, below] = readFileSync(instructors, 'utf8').split('### Ten everyday tasks');
const [, table] = below.split('|---|---|---|---|---|\n');
const quoted = cell => [...cell.matchAll(/(click |type )?`([^`]+)`/g)].map(([, before, text]) => ({ before, text }));
const tasks = table.split('\n\n')[0].split('\n').map(row => row.split('|').slice(1, -1)).map(
  ([name, files, actions, words, where]) => ({ name: name.trim(), files: quoted(files).map(q => q.text),
    actions: quoted(actions), words: quoted(words).map(q => q.text), where }));

const { server, home } = await serve(folder);
const browser = await launch(kind, executablePath);
const { check, ended } = new Checks(`the tasks in ${kind}`);
const HEIGHT = 800, foreign = [], errors = [];

const place = task => {
  const presents = task.actions.some(action => action.text === 'F5');
  const at = task.files.filter(file => file.startsWith('--at ')).map(file => `&at=${file.slice(5)}`);
  const names = task.files.filter(file => !file.startsWith('--'));
  return names.map(name => `trace=${name}`).join('&') + at + (presents ? '' : '&show=present');
};
/// The texts drawn by the viewer, with positions and heights.
const drawn = page => page.evaluate(() => window.fiberscope.words().split('\n').map(line => {
  const [x, y, height, ...words] = line.split(' ');
  return { x: +x, y: +y, height: +height, words: words.join(' ') };
}));
const until = async holds => {
  for (let i = 0; i < 100; ++i) {
    const found = await holds();
    if (found) return found;
    await new Promise(r => setTimeout(r, 100));
  }
  return null;
};
const press = async (page, label) => {
  const [key, held] = label.split(' ').reverse();
  if (held) await page.keyboard.down(held === 'Ctrl' ? 'Control' : held);
  await page.keyboard.press(key.length > 1 || held === 'Shift' ? key : key.toLowerCase());
  if (held) await page.keyboard.up(held === 'Ctrl' ? 'Control' : held);
};
const act = async (page, { before, text }) => {
  if (before === 'type ') {
    await page.keyboard.type(text, { delay: 30 });
    await page.keyboard.press('Enter', { delay: 100 });
  } else if (before === 'click ') {
    const button = await page.evaluateHandle(
      words => [...document.querySelectorAll('button')].find(b => b.textContent === words) || null, text);
    if (button.asElement()) return button.asElement().click();
    const at = await until(async () => (await drawn(page)).findLast(one => one.words === text));
    const canvas = await (await page.$('#canvas')).boundingBox();
    await page.mouse.move(canvas.x + at.x, canvas.y + at.y);
    await new Promise(r => setTimeout(r, 200));
    await page.mouse.click(canvas.x + at.x, canvas.y + at.y, { delay: 100 });
  } else {
    await press(page, text);
  }
  await new Promise(r => setTimeout(r, 300));
};

try {
  if (kind === 'chrome') await browser.defaultBrowserContext().overridePermissions(home, ['clipboard-sanitized-write']);
  for (const task of tasks.filter(one => one.where.includes('page') && !one.where.includes(': a page'))) {
    const page = await watched(browser, foreign, errors, 1280, HEIGHT);
    await page.goto(`${home}#${place(task)}`, { timeout: PATIENCE });
    await page.waitForFunction(() => window.fiberscope && document.getElementById('notice').hidden &&
      !window.fiberscope.loading(), { timeout: PATIENCE });
    await page.focus('#canvas');
    for (const action of task.actions) await act(page, action);
    const reads = async words => (await drawn(page)).some(one => one.words.includes(words)) ||
      (await page.$eval('#said', e => e.textContent)).includes(words);
    for (const words of task.words) check(`${task.name}: "${words}"`, await until(() => reads(words)));
    const canvas = await (await page.$('#canvas')).boundingBox();
    const small = (await drawn(page)).filter(one => one.words && one.height < 0.03 * canvas.height);
    check(`${task.name} is readable from the last row`, !small.length, JSON.stringify(small.slice(0, 3)));
    await page.screenshot({ path: join(pictures, `${kind}-task-${task.name.replaceAll(' ', '-')}.png`) });
    await page.close();
  }
} catch (error) {
  check('the tests complete', false, error.stack);
}
await browser.close();
server.close();
process.exit(ended(foreign, errors));
