import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import { openFolder, type SafeFolder } from '../../kernel/files/index.ts';
import { takeLock } from '../../kernel/lock/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { initIsRunning, stagedFilesMissing, stagedFileUnusable } from './errors.ts';

const FOLDER = '.bach/init';
const OUTPUTS = `${FOLDER}/outputs`;
/** Files that a person is to read and change are smaller by far. */
const LARGEST_STAGED = 1024 * 1024;

/** Where a provider leaves the starter files, from the project's root. */
export const STAGED = { bachfile: `${OUTPUTS}/Bachfile`, instructions: `${OUTPUTS}/AGENTS.md` } as const;

export interface StagedFiles {
  readonly bachfile: string;
  readonly instructions: string;
}

export interface StagingRequest {
  /** Absolute. */
  readonly root: string;
  readonly provider: string;
  readonly prompt: string;
  readonly clock: Clock;
}

/**
 * The folder in which a provider leaves its files before they are installed. No link below the root is followed: a
 * provider may put one anywhere.
 */
export class Staging {
  /** Absolute path of the file for what the provider prints. */
  readonly log: string;
  readonly #folder: SafeFolder;
  readonly #release: () => void;

  /**
   * Takes the folder, puts the prompt into it, and removes what an earlier provider left.
   * Throws `init-is-running` and what the system refuses, with the path.
   */
  static async prepare({ root, provider, prompt, clock }: StagingRequest): Promise<Staging> {
    const folder = await openFolder(root);
    try {
      await folder.ensureFolder(OUTPUTS);
      const lock = await takeLock(join(root, FOLDER, 'init.lock'), { clock, waitMs: 0 });
      if (lock === 'held') throw initIsRunning({ root });
      const staging = new Staging(folder, { log: join(root, FOLDER, `${provider}.log`), release: () => lock.release({ remove: true }) });
      await staging.#clear(`${FOLDER}/${provider}-prompt.md`, prompt);
      return staging;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  private constructor(folder: SafeFolder, { log, release }: { readonly log: string; readonly release: () => void }) {
    this.log = log;
    this.#folder = folder;
    this.#release = release;
  }

  async #clear(promptPath: string, prompt: string): Promise<void> {
    try {
      for (const path of Object.values(STAGED)) await this.#folder.remove(path);
      await this.#folder.replace(promptPath, prompt);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** What the provider left. Throws `staged-files-missing`, `staged-file-unusable`, and what `SafeFolder.read` throws. */
  async read(): Promise<StagedFiles> {
    const bachfile = await this.#readIfThere(STAGED.bachfile);
    const instructions = await this.#readIfThere(STAGED.instructions);
    if (bachfile !== undefined && instructions !== undefined) return { bachfile, instructions };
    const missing = [bachfile === undefined ? [STAGED.bachfile] : [], instructions === undefined ? [STAGED.instructions] : []];
    throw stagedFilesMissing({ paths: missing.flat() });
  }

  async close(): Promise<void> {
    await this.#folder.close();
    this.#release();
  }

  async #readIfThere(path: string): Promise<string | undefined> {
    const bytes = await this.#bytesIfThere(path);
    if (bytes === undefined) return undefined;
    if (!isUtf8(bytes)) throw stagedFileUnusable({ path, reason: 'is not UTF-8' });
    const text = new TextDecoder().decode(bytes);
    if (text.trim() === '') throw stagedFileUnusable({ path, reason: 'is empty' });
    return text;
  }

  async #bytesIfThere(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#folder.read(path, { maxBytes: LARGEST_STAGED });
    } catch (error) {
      if (isDroverError(error) && error.code === 'not-found') return undefined;
      throw error;
    }
  }
}
