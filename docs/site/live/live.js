// Makes the pictures of a page interactive: a click on a figure with data-trace replaces it by the viewer, at the same
// place of the same recordings. A page has at most one viewer, in a frame, and initially none. A page with steps,
// [data-at] after a figure, can be stepped through: its text on the left, the viewer on the right.
'use strict';

(() => {
  const viewer = new URL('../viewer/index.html', document.currentScript.src).href;
  const chinese = document.documentElement.lang.startsWith('zh');
  const TEXTS = chinese
    ? {live: '▶ 在这里打开查看器', still: '✕ 回到图片', whole: '整页显示', walk: '▶ 一步一步看', back: '◀', next: '▶', end: '✕'}
    : {live: '▶ open the viewer here', still: '✕ back to the picture', whole: 'full page', walk: '▶ step through',
      back: '◀', next: '▶', end: '✕'};
  const make = (kind, into, set) => into.appendChild(Object.assign(document.createElement(kind), set));

  const address = (figure, at = figure.dataset.at, place = '') => {
    const files = figure.dataset.trace.split(' ').map(encodeURIComponent).join('&with=');
    const theme = /theme=/.test(figure.dataset.place) || document.body.dataset.mdColorScheme === 'slate' ? '' : 'theme=light';
    return `${viewer}#trace=${files}&at=${at}` + [figure.dataset.place, theme, place].filter(Boolean).map(p => `&${p}`).join('');
  };

  let frame = null;
  const stop = () => {
    if (!frame) return;
    frame.parentElement.classList.remove('alive');
    frame.remove();
    frame = null;
  };
  const show = (host, url) => {
    if (frame && frame.parentElement === host) return frame.contentWindow.location.replace(url);
    stop();
    frame = make('iframe', host, {src: url, allow: 'fullscreen; clipboard-write', title: 'fiberscope'});
    host.classList.add('alive');
  };

  // ---- figures
  const figures = [...document.querySelectorAll('figure[data-trace]')];
  for (const figure of figures) {
    const bar = make('div', figure, {className: 'live-bar'});
    figure.prepend(bar);
    const toggle = make('button', bar, {type: 'button', textContent: TEXTS.live});
    make('a', bar, {href: address(figure), target: '_blank', textContent: TEXTS.whole});
    const turn = () => figure.classList.contains('alive') ? stop() : show(figure, address(figure));
    new MutationObserver(() => {
      toggle.textContent = figure.classList.contains('alive') ? TEXTS.still : TEXTS.live;
    }).observe(figure, {attributeFilter: ['class']});
    toggle.onclick = figure.querySelector('img').onclick = turn;
  }

  // ---- steps
  const stops = [];  // {element, figure, at} in the order of the page
  for (const element of document.querySelectorAll('figure[data-trace], li[data-at]')) {
    const figure = element.matches('figure') ? element : stops.at(-1).figure;
    stops.push({element, figure, at: element.dataset.at, place: element === figure ? '' : element.dataset.place});
  }
  const steps = stops.filter(s => s.element !== s.figure);
  if (!steps.length) return;

  const pane = make('aside', document.body, {className: 'live-pane'});
  const bar = make('div', pane, {className: 'live-bar'});
  let now = -1;
  const go = to => {
    now = Math.max(0, Math.min(stops.length - 1, to));
    const {element, figure, at, place} = stops[now];
    document.querySelectorAll('.live-now').forEach(e => e.classList.remove('live-now'));
    element.classList.add('live-now');
    if (element.closest('details')) element.closest('details').open = true;  // a folded lecture, not an answer
    let text = element;  // a figure is hidden while stepping: its text begins at the heading before
    while (text === figure || (element === figure && !/^H\d/.test(text.tagName) && text.previousElementSibling))
      text = text.previousElementSibling;
    text.scrollIntoView({block: element === figure ? 'start' : 'center'});
    count.textContent = `${now + 1} / ${stops.length}`;
    show(pane, address(figure, at, place));
  };
  const walk = (on, to = Math.max(0, now)) => {
    if (!on || !document.body.classList.contains('live-walking')) stop();
    document.body.classList.toggle('live-walking', on);
    if (on) go(to);
  };
  make('button', bar, {type: 'button', textContent: TEXTS.back, onclick: () => go(now - 1)});
  const count = make('output', bar, {});
  make('button', bar, {type: 'button', textContent: TEXTS.next, onclick: () => go(now + 1)}).className = 'live-next';
  make('button', bar, {type: 'button', textContent: TEXTS.end, onclick: () => walk(false)});
  const begin = make('button', make('p', document.body, {className: 'live-bar live-begin'}),
    {type: 'button', textContent: TEXTS.walk, onclick: () => walk(true)});
  document.querySelector('article h1').after(begin.parentElement);
  for (const step of steps)
    step.element.onclick = event => event.target.closest('details.answer') || walk(true, stops.indexOf(step));
})();
