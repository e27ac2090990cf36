/** What the user can mend; told without a stack. */
export class PluginFault extends Error {}
