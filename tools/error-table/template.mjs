/** The text of a message or a remedy with `<name>` wherever it names a detail. */
export function templateOf(text) {
  return typeof text === 'function' ? String(text(details())) : text;
}

function details() {
  return new Proxy({}, { get: (_, name) => placeholder(String(name)) });
}

/**
 * Stands for one detail whatever is done with it: it becomes `<name>` as text and as JSON, its members are
 * placeholders of their own, and a call of a method gives back what the method was called on.
 */
function placeholder(name, owner) {
  const text = `<${kebab(name)}>`;
  const known = {
    [Symbol.toPrimitive]: () => text,
    [Symbol.iterator]: function* () {
      yield self;
    },
    toJSON: () => text,
    toString: () => text,
    length: 2,
  };
  const self = new Proxy(function () {}, {
    get: (_, key) => (Object.hasOwn(known, key) ? known[key] : placeholder(`${name}.${String(key)}`, self)),
    apply: () => owner ?? self,
  });
  return self;
}

function kebab(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
