import {
  absolutePlace,
  dailyHours,
  declareKey,
  oneOf,
  postAddress,
  truth,
  variableName,
  variableNames,
  type ConfigKey,
} from '../../kernel/config/index.ts';

/** From the loosest to the strictest, in what a project may ask for. */
const CONTAINMENTS = ['partial', 'best', 'full'] as const;

type Containment = (typeof CONTAINMENTS)[number];

/** Every key that may be written. */
export const DROVER_KEYS = {
  redactExtra: declareKey<readonly string[]>({
    name: 'redact.extra',
    means: 'Variables whose values are masked in all output, besides those that are named like secrets.',
    type: variableNames,
    fallback: [],
    narrow: (own, asked) => [...new Set([...own, ...asked])],
  }),
  redactExcept: declareKey<readonly string[]>({
    name: 'redact.except',
    means: 'Variables that are named like secrets and hold none, so that their values are not masked.',
    type: variableNames,
    fallback: [],
  }),
  notifyDesktop: declareKey<boolean>({
    name: 'notify.desktop',
    means: 'Whether notices appear on the desktop.',
    type: truth,
    fallback: false,
    narrow: (own, asked) => own && asked,
  }),
  notifyFile: declareKey<string | undefined>({
    name: 'notify.file',
    means: 'A file that notices are appended to.',
    type: absolutePlace,
    fallback: undefined,
  }),
  notifyWebhookUrl: declareKey<string | undefined>({
    name: 'notify.webhook.url',
    means: 'An address that notices are posted to.',
    type: postAddress,
    fallback: undefined,
    // The path of such an address is often the secret itself.
    mask: (value) => `${new URL(value).origin}/***`,
  }),
  notifyWebhookSecretEnv: declareKey<string | undefined>({
    name: 'notify.webhook.secret_env',
    means: 'The variable with the secret that posted notices are signed with.',
    type: variableName,
    fallback: undefined,
  }),
  notifyQuietHours: declareKey<string | undefined>({
    name: 'notify.quiet_hours',
    means: 'Hours of each day in which no notice is sent.',
    type: dailyHours,
    fallback: undefined,
  }),
  databaseUrlEnv: declareKey<string | undefined>({
    name: 'database.url_env',
    means: 'The variable with the address of the PostgreSQL database that several machines share.',
    type: variableName,
    fallback: undefined,
  }),
  processContainment: declareKey<Containment>({
    name: 'process.containment',
    means:
      'How tightly agents are to be held, as doctor judges this machine: "full" fails without a way that nothing can leave, "best" warns then, "partial" is content with less.',
    type: oneOf(CONTAINMENTS),
    fallback: 'best',
    narrow: (own, asked) => (CONTAINMENTS.indexOf(asked) > CONTAINMENTS.indexOf(own) ? asked : own),
  }),
  stateFolder: declareKey<string | undefined>({
    name: 'state.folder',
    means: 'The folder for what drover keeps of this machine.',
    type: absolutePlace,
    fallback: undefined,
  }),
};

export const ALL_DROVER_KEYS: readonly ConfigKey<unknown>[] = Object.values(DROVER_KEYS);
