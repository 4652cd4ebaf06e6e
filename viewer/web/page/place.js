// A place of the viewer as the part of an address after '#': KEY=VALUE pairs with '&' between them, the values
// percent-encoded. A '+' stands for itself, not for a space. viewer/model/place.cpp reads and writes the same format.
'use strict';

globalThis.fiberscopePlace = {
  /// Returns the pairs, and the first part that is malformed (empty if there is none); malformed parts are left out.
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
