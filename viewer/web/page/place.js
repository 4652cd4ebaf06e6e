// A place of the viewer as a URL fragment: KEY=VALUE pairs separated by '&', the values percent-encoded. A '+' is
// literal, not a space. viewer/model/place.cpp reads and writes the same format.
'use strict';

globalThis.fiberscopePlace = {
  /// Returns the pairs and the first malformed part (empty if there is none); malformed parts are skipped.
  read(text) {
    const pairs = new URLSearchParams();
    let malformed = '';
    for (const part of text.split('&').filter(Boolean)) {
      try {
        const [, key, value] = part.match(/^([^=]+)=(.*)$/s);
        pairs.append(key, decodeURIComponent(value));
      } catch {
        malformed ||= part;
      }
    }
    return {pairs, malformed};
  },
  write: pairs => [...pairs].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&'),
};
