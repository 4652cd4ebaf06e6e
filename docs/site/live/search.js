// The search script requested by the theme (`__search`): Chinese words are found by their characters, which are
// separate terms in the index (hooks.py). A page opened by file:// can neither fetch nor start a worker: there, both
// are in a script.
var __search = {
  transform: words => words.replace(/[\u3400-\u9fff]/g, ' $& ').split(/[^\p{L}\p{N}_]+/u).filter(w => w)
    .map(w => '+' + w).join(' '),
};
if (location.protocol === 'file:')
  document.write(`<script src="${new URL('../search/offline.js', document.currentScript.src)}"><\/script>`);
