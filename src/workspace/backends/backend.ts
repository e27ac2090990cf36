import { isDroverError } from '../../kernel/errors/index.ts';
import type { Identity } from '../../kernel/git/index.ts';
import type { Backend, CreateOutcome, Workspace, WorkspaceRecord, WorkspaceRefusal, WorkspaceRemoval, WorkspaceRequest } from '../contract.ts';
import { workspaceMissing, workspaceNotOurs } from '../errors.ts';
import type { BackendSetting } from './backend-setting.ts';
import type { Found, Kind, Site } from './kind.ts';
import { isSameWorkspace, readMarker, writeMarker } from './marker.ts';
import { foldersToMake } from './place.ts';
import { refusalOf, refused } from './refusal.ts';
import { Register, requireWorkspaceId, type Entry } from './register.ts';

/** A backend made of what one kind does in its own way. Each call first clears what killed processes left of its kind. */
export function backendOf(kind: Kind, setting: BackendSetting): Backend {
  const frame = new Frame(kind, setting);
  return {
    name: kind.name,
    create: (request) => frame.create(request),
    list: () => frame.list(),
    open: (record) => frame.open(record),
    snapshot: (workspace, who) => kind.snapshot(workspace, who),
    restore: (workspace, snapshot, who) => kind.restore(workspace, snapshot, who),
    remove: ({ record }, who) => frame.remove(record, who),
  };
}

class Frame {
  readonly #kind: Kind;
  readonly #setting: BackendSetting;
  readonly #register: Register;

  constructor(kind: Kind, setting: BackendSetting) {
    this.#kind = kind;
    this.#setting = setting;
    this.#register = new Register(setting.source.commonDir);
  }

  async create(request: WorkspaceRequest): Promise<CreateOutcome> {
    requireWorkspaceId(request.id);
    await this.#settle();
    const taken = this.#register.entry(request.id);
    if (taken !== undefined) return idTaken(taken);
    const record = this.#recordFor(request);
    const refusal = await this.#look(request, record);
    if (refusal !== undefined) return refusal;
    const lock = await this.#register.lock(request.id);
    if (lock === 'held') return refused('busy', `another drover is making or clearing the workspace ${request.id}`);
    try {
      const entry: Entry = { state: 'making', record, who: request.who, folders: foldersToMake(record.path), seeded: [] };
      return (await this.#register.add(entry)) === 'taken' ? idTaken(entry) : await this.#build(entry, request);
    } finally {
      lock.release({ remove: true });
    }
  }

  async #look(request: WorkspaceRequest, record: WorkspaceRecord): Promise<WorkspaceRefusal | undefined> {
    try {
      return await this.#kind.look(request, record);
    } catch (error) {
      const refusal = refusalOf(error, this.#setting.source);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  /** Both ends are written down: the workspace is there from the moment at which its entry says so. */
  async #build(entry: Entry, request: WorkspaceRequest): Promise<CreateOutcome> {
    try {
      const site = await this.#kind.make(entry);
      if ('kind' in site) return await this.#takeBack(entry, site);
      if ((await mark(site, entry.record)) === 'taken') return await this.#takeBack(entry, refused('place-taken', `${entry.record.path} has another workspace`));
      const { source, seeder } = this.#setting;
      const seeded = await seeder.seed({ from: source.topLevel, to: entry.record.path, checkout: site.checkout, seeds: request.seeds });
      await this.#register.change({ ...entry, state: 'made', seeded: seeded.copied });
      return { kind: 'created', workspace: this.#workspaceOf(entry.record, site), seeded };
    } catch (error) {
      const refusal = refusalOf(error, this.#setting.source);
      // When it cannot be taken back now, the next call does it; why it was not made is worth more.
      const outcome = await this.#takeBack(entry, refusal).catch(() => refusal);
      if (outcome === undefined) throw error;
      return outcome;
    }
  }

  async #takeBack<Refusal extends WorkspaceRefusal | undefined>(entry: Entry, refusal: Refusal): Promise<Refusal> {
    await this.#kind.takeBack(entry);
    await this.#register.drop(entry.record.id);
    return refusal;
  }

  async list(): Promise<readonly WorkspaceRecord[]> {
    await this.#settle();
    const entries = this.#register.entries();
    const known = new Set(entries.map(({ record }) => record.id));
    const own = entries.filter((entry) => entry.record.backend === this.#kind.name && entry.state !== 'making');
    const lost = (await this.#kind.marked()).filter(({ id }) => !known.has(id));
    return [...own.map(({ record }) => record), ...lost];
  }

  async open(record: WorkspaceRecord): Promise<Workspace> {
    const { id, path } = record;
    const found = await this.#find(record);
    if (found.kind === 'foreign') throw workspaceNotOurs({ id, path, reason: found.reason });
    if (found.kind !== 'here') throw workspaceMissing({ id, path, reason: found.reason });
    if (!found.site.hasFiles) throw workspaceMissing({ id, path, reason: 'its files are gone' });
    return this.#workspaceOf(record, found.site);
  }

  async remove(record: WorkspaceRecord, who: Identity): Promise<WorkspaceRemoval> {
    requireWorkspaceId(record.id);
    const lock = await this.#register.lock(record.id);
    if (lock === 'held') return stays(`another drover is at work on the workspace ${record.id}`);
    try {
      const entry = this.#register.entry(record.id);
      const found = await this.#find(record);
      if (found.kind === 'foreign' || found.kind === 'moved') return stays(`${record.path} is not the workspace ${record.id}: ${found.reason}`);
      if (found.kind === 'gone' && !isSameWorkspace(entry?.record, record)) return stays(`there is no workspace ${record.id}: ${found.reason}`);
      const leaving: Entry = { folders: [], seeded: [], ...entry, state: 'removing', record, who };
      if (entry === undefined) await this.#register.add(leaving);
      else await this.#register.change(leaving);
      return await this.#finishRemoval(leaving);
    } finally {
      lock.release({ remove: true });
    }
  }

  async #finishRemoval(entry: Entry): Promise<WorkspaceRemoval> {
    const removal = await this.#kind.remove(entry).catch(async (error: unknown) => {
      await this.#register.change({ ...entry, state: 'made' });
      if (isDroverError(error) && REFUSING.has(error.code)) return stays(`${error.message}; ${error.remedy}`);
      throw error;
    });
    if (removal.kind === 'removed') await this.#register.drop(entry.record.id);
    else await this.#register.change({ ...entry, state: 'made' });
    return removal;
  }

  /** Clears what was cut off; whoever is alive and at work holds the lock. */
  async #settle(): Promise<void> {
    const isUnsettled = ({ state, record }: Entry): boolean => state !== 'made' && record.backend === this.#kind.name;
    for (const { record } of this.#register.entries().filter(isUnsettled)) {
      const lock = await this.#register.lock(record.id);
      if (lock === 'held') continue;
      try {
        const entry = this.#register.entry(record.id);
        if (entry?.state === 'making') await this.#takeBack(entry, undefined);
        if (entry?.state === 'removing') await this.#finishRemoval(entry);
      } catch {
        // It stays written down for the next call: what is left of one must not be in the way of others.
      } finally {
        lock.release({ remove: true });
      }
    }
  }

  async #find(record: WorkspaceRecord): Promise<Found> {
    const found = await this.#kind.find(record);
    if (found.kind !== 'here') return found;
    const marker = readMarker(found.site.home);
    if (isSameWorkspace(marker, record)) return found;
    const reason = marker === undefined ? 'it does not carry our marker' : `its marker names ${marker.id}`;
    return { kind: 'foreign', reason };
  }

  #recordFor(request: WorkspaceRequest): WorkspaceRecord {
    const { id, base, owner } = request;
    const { source } = this.#setting;
    const createdMs = Number(source.git.clock.wall() / 1_000_000n);
    return { id, backend: this.#kind.name, ...this.#kind.place(request), repository: source.commonDir, base, owner, createdMs };
  }

  #workspaceOf(record: WorkspaceRecord, { checkout }: Site): Workspace {
    return { record, source: this.#setting.source, checkout };
  }
}

const REFUSING = new Set(['git-failed', 'worktree-misled', 'git-locked', 'worktrees-busy', 'object-missing']);

async function mark({ home }: Site, record: WorkspaceRecord): Promise<'marked' | 'taken'> {
  try {
    await writeMarker(home, record);
    return 'marked';
  } catch (error) {
    if (isDroverError(error) && error.code === 'already-exists') return 'taken';
    throw error;
  }
}

function idTaken({ record, state }: Entry): WorkspaceRefusal {
  const what = state === 'made' ? `the workspace ${record.id} is at ${record.path}` : `what is left of the workspace ${record.id} at ${record.path} could not be cleared yet`;
  return refused('id-taken', what);
}

function stays(reason: string): WorkspaceRemoval {
  return { kind: 'refused', reason, paths: [] };
}
