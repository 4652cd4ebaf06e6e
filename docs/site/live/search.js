// The search script requested by the theme (`__search`): Chinese words are found by their characters, which are
// separate terms in the index (hooks.py). A page opened by file:// can neither fetch nor start a worker: there, both
// are in a script.
var __search = {
  transform: words => words.replace(/[\u3400-\u9fff]/g, ' $& ').split(/[^\p{L}\p{N}_]+/u).filter(w => w)
    .map(w => '+' + w).join(' '),
  /// A Chinese page finds no English page that has been translated.
  ofPage(index) {
    const chinese = /\.zh\.html/, twin = path => path.replace(/index\.html/, 'README.html').replace('.html', '.zh.html');
    if (!chinese.test(location.pathname)) return index;
    const pages = new Set(index.docs.map(part => part.location.split('#')[0]));
    return {...index, docs: index.docs.filter(part => !pages.has(twin(part.location.split('#')[0])))};
  },
};
{
  const beside = file => new URL(`../search/${file}`, document.currentScript.src);
  if (location.protocol === 'file:') document.write(`<script src="${beside('offline.js')}"><\/script>`);
  else __search.index = fetch(beside('search_index.json')).then(answer => answer.json()).then(__search.ofPage);
}
