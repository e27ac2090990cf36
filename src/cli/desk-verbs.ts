/** Loads each verb of the desk when its command is given, and no other. */
export const deskVerbs = {
  configShow: async () => (await import('../desk/commands/config-show.ts')).configShowVerb,
  doctor: async () => (await import('../desk/commands/doctor.ts')).doctorVerb,
  explain: async () => (await import('../desk/commands/explain.ts')).explainVerb,
  selftestCrash: async () => (await import('../desk/commands/selftest-crash.ts')).selftestCrashVerb,
  journalCheck: async () => (await import('../desk/commands/journal-check.ts')).journalCheckVerb,
};

export type DeskVerbs = typeof deskVerbs;
