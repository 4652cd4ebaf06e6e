// The page around the viewer: fetches recordings, synchronizes the URL with the viewer's place, and requests a frame
// only after an event. A single-file page defines `shared`, with the files that are fetched otherwise, before this
// script. A page opened by file:// cannot fetch: each file then has a script in packed/ that adds it to `packed`.
'use strict';

(async () => {
  const TEXTS = {
    en: {recording: 'recording', beside: 'beside', open: 'open…', copy: 'copy link', language: '中文', none: '(none)',
      copied: 'Link copied.', uncopied: 'The browser does not allow copying; copy the address of this page.',
      own: 'This page cannot reopen {}, a file of yours; “./lab share” makes a page that contains it.',
      loading: 'Loading…', drop: 'Choose one above, or drop a recording here.',
      unknown: 'This page has no recording named {}.', failed: 'Cannot fetch {}.',
      malformed: 'The link is malformed at “{}”: it needs KEY=VALUE, and “%25” for a percent sign.'},
    zh: {recording: 'trace', beside: '并排', open: '打开…', copy: '复制链接', language: 'English', none: '（无）',
      copied: '链接已复制。', uncopied: '浏览器不允许复制，请复制本页的地址。',
      own: '{} 是你自己的文件，链接无法重新打开它；“./lab share”会生成包含它的页面。',
      loading: '正在读取……', drop: '请在上方选择，或把 trace 拖到这里。',
      unknown: '这个页面没有名为 {} 的 trace。', failed: '无法读取 {}。',
      malformed: '链接在“{}”处有错误：应写成 KEY=VALUE，百分号要写成“%25”。'},
  };
  const {read: readPlace, write: writePlace} = window.fiberscopePlace;
  const shared = window.shared || {};
  const at = id => document.getElementById(id);
  const canvas = at('canvas'), notice = at('notice');
  const isWithin = window.parent !== window;  // embedded in a larger page
  document.documentElement.classList.toggle('within', isWithin);

  // ---- files: in the page itself, or in its folder
  const unpacked = async packed => {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const url = path => path.split('/').map(encodeURIComponent).join('/');
  const scripted = path => new Promise(done => {
    const script = document.createElement('script');
    Object.assign(script, {src: `packed/${url(path)}.js`, onload: () => done(true), onerror: () => done(false)});
    document.head.append(script);
  });
  const fetched = async path => {
    if (shared.files) return shared.files[path] ? unpacked(shared.files[path]) : null;
    if (location.protocol === 'file:') return await scripted(path) ? unpacked(window.packed[path]) : null;
    const answer = await fetch(url(path));
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  };
  const early = new Map();  // files for the first frame are fetched while the viewer is compiled
  const bytesOf = path => {
    const coming = early.get(path);
    early.delete(path);
    return coming || fetched(path);
  };

  // ---- the URL
  const fragment = () => location.hash.slice(1);
  const parts = () => readPlace(fragment()).pairs;
  const filesOf = p => [...p.getAll('trace'), ...p.getAll('with')];
  const keyOf = names => [...names].sort().join('/');  // names contain no '/'
  let preferred = navigator.language.startsWith('zh') ? 'zh' : 'en';  // without lang= in the address
  const language = () => parts().has('lang') ? parts().get('lang') === 'zh' ? 'zh' : 'en' : preferred;
  const FONTS = {'DejaVuSans.ttf': 'en', 'DejaVuSans-Bold.ttf': 'en', 'DejaVuSansMono.ttf': 'en', 'chinese.otf': 'zh'};
  const fonts = () => Object.keys(FONTS).filter(font => FONTS[font] === 'en' || FONTS[font] === language());
  const told = (text, value) => TEXTS[language()][text].replace('{}', () => value);
  /// A place with its language: for the viewer, and in the address, it is English unless lang= says otherwise.
  const spoken = (place, isDefault) => isDefault || readPlace(place).pairs.has('lang') ? place :
    [place, `lang=${language()}`].filter(Boolean).join('&');
  const toViewer = () => spoken(fragment(), language() === 'en');
  const toAddress = place => spoken(place, language() === preferred);
  const say = words => { at('said').textContent = words; };
  const refuse = words => { notice.textContent = words; notice.hidden = !words; };

  const translate = () => {
    document.documentElement.lang = language() === 'zh' ? 'zh-Hans' : 'en';
    document.querySelectorAll('[data-text]').forEach(e => { e.textContent = TEXTS[language()][e.dataset.text]; });
  };

  // ---- files of the page: no other file is fetched, whatever a link or a note names
  let samples = [];
  const list = async () => {
    if (shared.files) { samples = shared.recordings; return; }
    const index = await fetched('samples/index.json');
    const {recordings, notes} = index ? JSON.parse(new TextDecoder().decode(index)) : {recordings: [], notes: []};
    samples = recordings;
    samples.notes = notes;
  };
  const present = new Set();  // recordings in the viewer's file system
  const isKnown = name => samples.includes(name) || present.has(`/recordings/${name}.json`) ||
    Boolean(shared.files?.[`samples/${name}.json`]);

  // ---- the viewer
  refuse(TEXTS[language()].loading);
  for (const path of fonts().map(font => `fonts/${font}`)) early.set(path, fetched(path));
  const listed = list().then(() => {
    for (const path of filesOf(parts()).filter(isKnown).map(name => `samples/${name}.json`)) early.set(path, fetched(path));
  });
  const options = {canvas};
  if (shared.files || location.protocol === 'file:') options.wasmBinary = await bytesOf('viewer.wasm');
  const viewer = await window.fiberscopeViewer(options);
  const call = (name, returns, ...values) =>
    viewer.ccall(name, returns, values.map(v => typeof v === 'string' ? 'string' : 'number'), values);

  const write = (path, bytes) => {
    viewer.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    viewer.FS.writeFile(path, bytes);
  };
  const fetchOnce = async (from, to) => {
    if (present.has(to)) return true;
    const bytes = await bytesOf(from);
    if (bytes) { write(to, bytes); present.add(to); }
    return bytes !== null;
  };
  const fetchFonts = () => Promise.all(fonts().map(font => fetchOnce(`fonts/${font}`, `/fonts/${font}`)));
  const fetchRecording = async name => {  // resolves to whether it exists; includes its notes
    const notes = [`${name}.notes.json`, `${name}.notes.zh.json`]
      .filter(file => shared.files ? shared.files[`samples/${file}`] : samples.notes.includes(file));
    const all = await Promise.all([`${name}.json`, ...notes].map(file => fetchOnce(`samples/${file}`, `/recordings/${file}`)));
    await Promise.all(notes.map(file => fetchBeside(`/recordings/${file}`)));
    return all[0];
  };

  const pixels = () => [canvas.clientWidth, canvas.clientHeight].map(n => Math.max(1, Math.round(n * devicePixelRatio)));
  let shown = '', asked = false, happened = false;
  let opened = '';     // the files that the viewer shows, and how
  let handled = null;  // the fragment that the viewer shows; differs while another one is being loaded

  const openedAs = () => [...parts().getAll('trace'), '', ...parts().getAll('with'), language()].join('/');
  const address = () => {  // follows the viewer's place; other recordings get their own history entry
    if (location.hash !== handled) return;
    const place = toAddress(call('viewer_place', 'string'));
    if (!place || place === shown) return;
    const other = keyOf(filesOf(readPlace(place).pairs)) !== keyOf(filesOf(readPlace(shown).pairs));
    shown = place;
    history[other ? 'pushState' : 'replaceState'](null, '', '#' + place);
    handled = location.hash;
    if (opened !== openedAs()) controls();
    opened = openedAs();
  };
  const describe = () => {  // for screen readers
    const words = call('viewer_sentences', 'string');
    if (words !== at('sentences').textContent) at('sentences').textContent = words;
  };
  let settled = 0;
  const wake = () => {
    happened = true;
    if (asked) return;
    asked = true;
    requestAnimationFrame(draw);
  };
  const download = path => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const url = URL.createObjectURL(new Blob([viewer.FS.readFile(path)], {type: 'application/json'}));
    Object.assign(document.createElement('a'), {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  let loading = false;  // the viewer reads recordings, a slice in each frame
  const draw = () => {
    const again = call('viewer_frame', 'number', happened ? 1 : 0);
    happened = asked = false;
    const wish = call('viewer_wish', 'string');  // a recording was clicked
    if (wish) location.hash = toAddress(wish);
    call('viewer_saved', 'string').split('\n').filter(Boolean).forEach(download);  // lectures
    if (loading && !call('viewer_loading', 'number')) {
      loading = false;
      const wrong = call('viewer_error', 'string');
      if (wrong) say(wrong);
    }
    document.body.classList.toggle('light', parts().get('theme') === 'light');
    clearTimeout(settled);
    settled = setTimeout(() => { address(); describe(); }, 200);
    if (again) { asked = true; requestAnimationFrame(draw); }
  };

  const fill = (select, chosen, none) => {
    const names = [...new Set([...samples, ...(chosen ? [chosen] : [])])];
    select.replaceChildren(...(none ? [new Option(none, '')] : []), ...names.map(n => new Option(n, n)));
    select.value = chosen || '';
  };
  const controls = () => {
    const files = filesOf(parts());
    translate();
    fill(at('trace'), files[0], '');
    fill(at('with'), parts().get('with'), TEXTS[language()].none);
  };

  const fetchLectures = () => Promise.all((samples.notes || [])  // their titles are listed before they are opened
    .map(notes => fetchOnce(`samples/${notes}`, `/recordings/${notes}`)));
  /// The notes of a lecture; none if the file is invalid, which the viewer reports.
  const notesIn = file => {
    try {
      return [JSON.parse(viewer.FS.readFile(file, {encoding: 'utf8'})).notes].flat();
    } catch {
      return [];
    }
  };
  /// The handouts, where the viewer looks for the tree of the labs. A single-file page has none.
  const fetchHandouts = async () => {
    const bytes = await fetched('handouts.json');
    if (!bytes) return;
    write('/lab', new Uint8Array());
    for (const [path, text] of Object.entries(JSON.parse(new TextDecoder().decode(bytes))))
      write(`/${path}`, new TextEncoder().encode(text));
  };
  /// The recordings that the notes of a lecture show beside their own.
  const fetchBeside = async file => {
    for (const note of notesIn(file))
      for (const name of readPlace(String(note?.place ?? '')).pairs.getAll('with').filter(isKnown))
        await fetchOnce(`samples/${name}.json`, `/recordings/${name}.json`);
  };

  const show = async () => {
    if (!filesOf(parts()).length && !readPlace(fragment()).malformed && shared.place) {
      const {pairs} = readPlace(shared.place);
      for (const [key, value] of parts()) pairs.set(key, value);  // such as lang=
      history.replaceState(null, '', '#' + writePlace(pairs));
    }
    const files = filesOf(parts()), asks = location.hash;
    controls();
    const {malformed} = readPlace(fragment()), unknown = files.find(name => !isKnown(name));
    if (malformed || unknown !== undefined) handled = null;
    if (malformed) return refuse(told('malformed', malformed));
    if (unknown !== undefined) return refuse(`${told('unknown', unknown)} ${TEXTS[language()].drop}`);
    const now = openedAs();
    if (now === opened) {
      shown = fragment();
      call('viewer_go', null, toViewer());
      handled = asks;
      refuse('');
      return wake();
    }
    handled = null;
    refuse(TEXTS[language()].loading);
    const [got, gotFonts] = await Promise.all([Promise.all(files.map(fetchRecording)), fetchFonts()]);
    if (gotFonts.includes(false)) { preferred = 'en'; controls(); }  // nothing could draw Chinese
    const missing = files.find((_, i) => !got[i]);
    if (missing !== undefined) return refuse(told('failed', `${missing}.json`));
    await new Promise(drawn => setTimeout(drawn, 0));
    if (location.hash !== asks) return;  // another place was requested in the meantime
    call('viewer_offer', null, samples.join('/'));
    call('viewer_show', null, toViewer());
    loading = true;
    opened = now;
    shown = fragment();
    handled = asks;
    refuse('');
    wake();
  };

  // ---- local files of the user, which are not uploaded
  const bring = async list => {
    const names = [];
    for (const file of list) {
      const name = file.name.replace(/\.json$/, '');
      write(`/recordings/${name}.json`, new Uint8Array(await file.arrayBuffer()));
      present.add(`/recordings/${name}.json`);
      names.push(name);
    }
    if (!names.length) return;
    opened = '';
    const p = new URLSearchParams();
    names.forEach(name => p.append('trace', name));
    location.hash = toAddress(writePlace(p));
  };

  // ---- events
  const sized = () => { call('viewer_resize', null, ...pixels()); wake(); };
  // Before the viewer listens: input in the header is not for it, and Tab leaves the canvas.
  for (const type of ['keydown', 'keypress'])
    window.addEventListener(type, event => {
      if (event.target.closest?.('header') || event.key === 'Tab') event.stopImmediatePropagation();
      else if (type === 'keypress' && event.ctrlKey && event.altKey) {  // AltGr: the viewer's library ignores Ctrl
        event.stopImmediatePropagation();
        canvas.dispatchEvent(new KeyboardEvent(type, {charCode: event.charCode, keyCode: event.charCode, bubbles: true}));
      }
    }, {capture: true});
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])  // the viewer's library would click
    window.addEventListener(type, event => {
      if (event.target !== canvas) return;
      event.stopImmediatePropagation();
      if (type === 'touchend') event.preventDefault();  // no mouse events follow
    }, {capture: true, passive: false});
  call('viewer_begin', null, ...pixels(), matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 0);
  new ResizeObserver(sized).observe(canvas);
  // The browser would handle these itself.
  window.addEventListener('keydown', event => {
    if (event.ctrlKey && 'fko'.includes(event.key)) event.preventDefault();
  }, {capture: true});
  for (const event of ['mousemove', 'mousedown', 'mouseup', 'keydown', 'keyup', 'focus', 'blur'])
    window.addEventListener(event, wake, {passive: true});
  // emscripten's GLFW treats pixels as notches, with the wrong sign, and twice.
  const turned = event => {
    if (event.target !== canvas) return;
    if (isWithin && !event.ctrlKey) return event.stopImmediatePropagation();  // scrolls the page around this one
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== 'wheel') return;
    const notch = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 100;
    call('viewer_wheel', null, -event.deltaX / notch, -event.deltaY / notch);
    wake();
  };
  for (const type of ['wheel', 'mousewheel'])
    window.addEventListener(type, turned, {capture: true, passive: false});
  window.addEventListener('beforeunload', event => {
    if (call('viewer_unsaved', 'number')) event.preventDefault();
  });
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  window.addEventListener('hashchange', show);
  window.addEventListener('dragover', event => event.preventDefault(), true);
  window.addEventListener('drop', event => {
    event.preventDefault();
    event.stopImmediatePropagation();
    bring([...event.dataTransfer.files]);
  }, true);
  at('file').addEventListener('change', event => bring([...event.target.files]));
  const choose = () => {
    const p = new URLSearchParams();
    [at('trace').value, at('with').value].filter(Boolean).forEach((name, i) => p.set(i === 0 ? 'trace' : 'with', name));
    location.hash = toAddress(writePlace(p));
    canvas.focus();
  };
  at('trace').addEventListener('change', choose);
  at('with').addEventListener('change', choose);
  /// Returns whether `text` is in the clipboard. A page that was not fetched by https has only the older interface.
  const copied = async text => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
    const field = Object.assign(document.createElement('textarea'), {value: text});
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  };
  at('copy').addEventListener('click', async () => {
    address();
    const own = filesOf(parts()).find(name => !samples.includes(name) && !shared.files?.[`samples/${name}.json`]);
    say(own !== undefined ? told('own', own) : TEXTS[language()][await copied(location.href) ? 'copied' : 'uncopied']);
  });
  at('language').addEventListener('click', () => {
    address();
    const p = parts();
    p.set('lang', language() === 'zh' ? 'en' : 'zh');
    location.hash = writePlace(p);
  });

  // ---- touch: a tap selects, one finger pans, two zoom. The viewer supports only the mouse.
  const mouse = (type, x, y, button = 0) => {
    const target = type === 'mousemove' ? window : canvas;
    (type === 'mousemove' ? canvas : target).dispatchEvent(
      new MouseEvent(type, {clientX: x, clientY: y, button, bubbles: true, cancelable: true}));
  };
  const fingers = new Map();
  let moved = 0, apart = 0, panning = false;
  const middle = () => {
    const all = [...fingers.values()];
    return [all.reduce((s, f) => s + f.x, 0) / all.length, all.reduce((s, f) => s + f.y, 0) / all.length];
  };
  const distance = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    moved = 0;
    if (fingers.size === 2) apart = distance();
    mouse('mousemove', ...middle());
    wake();
  });
  canvas.addEventListener('pointermove', event => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    moved += Math.hypot(event.clientX - finger.x, event.clientY - finger.y);
    Object.assign(finger, {x: event.clientX, y: event.clientY});
    if (fingers.size === 2) {
      const now = distance();
      if (Math.abs(Math.log(now / apart)) > 0.1) {
        const [x, y] = middle();
        mouse('mousemove', x, y);
        canvas.dispatchEvent(new WheelEvent('wheel', {clientX: x, clientY: y, deltaY: now > apart ? -100 : 100,
          bubbles: true, cancelable: true}));
        apart = now;
      }
    } else if (moved > 8) {
      if (!panning) { panning = true; mouse('mousedown', ...middle(), 2); }
      mouse('mousemove', ...middle());
    }
    wake();
  });
  const lifted = event => {
    if (!fingers.has(event.pointerId)) return;
    const [x, y] = middle();
    fingers.delete(event.pointerId);
    if (panning) { panning = false; mouse('mouseup', x, y, 2); }
    else if (moved <= 8 && fingers.size === 0) {
      mouse('mousedown', x, y);
      setTimeout(() => { mouse('mouseup', x, y); wake(); }, 60);
    }
    wake();
  };
  canvas.addEventListener('pointerup', lifted);
  canvas.addEventListener('pointercancel', lifted);

  // ---- start
  await listed;
  window.fiberscope = {viewer, wake, place: () => call('viewer_place', 'string'),
    words: () => call('viewer_words', 'string'), loading: () => loading};  // for tests
  await fetchLectures();
  await show();
  canvas.focus();
  await fetchHandouts();
})().catch(error => {
  Object.assign(document.getElementById('notice'), {textContent: String(error), hidden: false});
  throw error;
});
