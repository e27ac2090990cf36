'use strict';

const { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** A command that goes on for longer loads what it may still need, before an update takes the files away. */
const SHORT_MS = 1000;
/** Under which a chunk lists what it takes from others, each as a function that loads it. */
const LATE = Symbol.for('late');

/**
 * The files of `dist/`, loaded as `require` would, but with what V8 made of them the last time: reading source anew takes
 * a third of a short command. What V8 made lies in `dist/code/`, by version of Node, and is written by whoever first
 * loads a file from an installation that he may write to. V8 itself refuses what another version or other flags made.
 * It knows a source by its length alone, so that nothing is kept but of chunks, whose names change with what is in them.
 */
exports.Chunks = class {
  #dist;
  #folder;
  #loaded = new Map();
  /** Those that nothing was kept of. */
  #fresh = new Map();
  /** A descriptor to give back, so that what tells of too many open files can still be read. */
  #spare;

  constructor(dist) {
    this.#dist = dist;
    this.#folder = join(dist, 'code', `${process.version}-${process.arch}`);
  }

  /** Runs an entry, by its absolute path. */
  start(entry) {
    setTimeout(() => this.#loadRest(), SHORT_MS).unref();
    this.#hold();
    this.#load(entry);
  }

  #load(file) {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(file, module);
    try {
      this.#define(file, module);
    } catch (error) {
      // Nothing of it stands yet: who asks again must not be given that for all of it.
      this.#loaded.delete(file);
      throw error;
    }
    return module.exports;
  }

  #define(file, module) {
    const folder = dirname(file);
    const take = (id) => (id.startsWith('.') ? this.#load(join(folder, id)) : require(id));
    this.#compiled(file).runInThisContext().call(module.exports, module.exports, take, module, file, folder);
  }

  #loadRest() {
    const all = new Set([...this.#loaded.values()].map(({ exports: each }) => each));
    try {
      for (const each of all) for (const take of each[LATE] ?? []) all.add(take());
    } catch {
      // Taken away already: what of it is needed fails when it is, and says so.
    }
  }

  #compiled(file) {
    const isKept = dirname(file) !== this.#dist;
    const cachedData = isKept ? this.#kept(file) : undefined;
    // The build writes nothing but ASCII: read like this, a text takes half the memory and a fraction of the time.
    const source = `(function (exports, require, module, __filename, __dirname) {${this.#read(file)}\n})`;
    const script = new Script(source, { filename: file, cachedData });
    if (isKept && cachedData === undefined) this.#keepLater(file, script);
    return script;
  }

  /** What cannot be read is marked as a part of the program: nobody shall look for the fault among his own files. */
  #read(file) {
    try {
      return this.#readWithSpare(file);
    } catch (error) {
      throw Object.assign(error, { part: file });
    }
  }

  #readWithSpare(file) {
    try {
      return readFileSync(file, 'latin1');
    } catch (error) {
      if (error.code !== 'EMFILE' || this.#spare === undefined) throw error;
    }
    closeSync(this.#spare);
    try {
      return readFileSync(file, 'latin1');
    } finally {
      this.#hold();
    }
  }

  #hold() {
    try {
      this.#spare = openSync(__filename);
    } catch {
      // None is left already: the next part that is needed says so.
      this.#spare = undefined;
    }
  }

  #kept(file) {
    try {
      return readFileSync(this.#keptPath(file));
    } catch {
      return undefined;
    }
  }

  #keptPath(file) {
    return join(this.#folder, basename(file));
  }

  /** At the end, when V8 has also made the functions that this command used. */
  #keepLater(file, script) {
    if (this.#fresh.size === 0) process.on('exit', () => this.#keepAll());
    this.#fresh.set(file, script);
  }

  #keepAll() {
    try {
      mkdirSync(this.#folder, { recursive: true });
      accessSync(this.#folder, constants.W_OK);
      for (const [file, script] of this.#fresh) this.#keep(this.#keptPath(file), script.createCachedData());
    } catch {
      // An installation that may not be written to, or a full disk: the next start reads the source again.
    }
  }

  /** In one step: who starts at this moment sees nothing or all of it. */
  #keep(path, data) {
    const draft = `${path}.${process.pid}`;
    try {
      writeFileSync(draft, data, { flush: true });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
};
