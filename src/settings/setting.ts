export interface Setting<T> {
  name: string;
  /** Another spelling that is in use elsewhere, and wins, as it does there. */
  alias?: string;
  /** What holds when the setting is not given: as text, the way a person would write it. */
  default?: string;
  sentence: string;
  parse: (text: string) => T;
}

/** Infers what a setting is parsed to. */
export const setting = <T>(described: Setting<T>): Setting<T> => described;
