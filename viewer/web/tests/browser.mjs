// Shared code of the tests of the page and of the site: a browser, a server on loopback, and counters.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import puppeteer from 'puppeteer-core';

export const PATIENCE = 120000; // ms: a busy computer draws slowly in software
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json',
  wasm: 'application/wasm', svg: 'image/svg+xml', png: 'image/png' };

/// Serves `folder` under the path `below`, which is empty or ends with a slash. Other paths are not found.
export const serve = async (folder, below = '') => {
  const server = createServer((request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/^\/+/, '');
    try {
      if (!path.startsWith(below)) throw new Error('outside');
      const file = path.slice(below.length) || 'index.html';
      const bytes = readFileSync(join(folder, file));
      answer.writeHead(200, { 'content-type': TYPES[file.split('.').pop()] || 'application/octet-stream' });
      answer.end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return { server, home: `http://127.0.0.1:${server.address().port}/${below}` };
};

export const launch = (kind, executablePath) => puppeteer.launch({
  browser: kind, executablePath, headless: kind === 'chrome', protocolTimeout: 2 * PATIENCE,
  args: kind === 'chrome' ? ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : [],
});

/// A new page; records its requests to other hosts and its errors.
export const watched = async (browser, foreign, errors, width, height) => {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  const ours = /^(data:|blob:|file:|about:|http:\/\/127\.0\.0\.1)/;
  page.on('request', r => { if (!ours.test(r.url())) foreign.push(r.url()); });
  page.on('pageerror', e => errors.push(e.message));
  return page;
};

export class Checks {
  constructor(name) {
    let passed = 0, failed = 0;
    this.check = (what, holds, seen = '') => {
      if (holds) { passed += 1; return; }
      failed += 1;
      console.log(`✗ ${name}: ${what} ${seen}`);
    };
    /// The exit status. Requests to other hosts and errors are failures.
    this.ended = (foreign, errors) => {
      this.check('no request to another host', foreign.length === 0, foreign.join(' '));
      this.check('no errors in pages', errors.length === 0, errors.join(' '));
      console.log(`${name}: ${passed} passed, ${failed} failed`);
      return failed === 0 ? 0 : 1;
    };
  }
}
