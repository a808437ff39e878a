/** Why something deserves a reader's attention: what could break comes first. All of it can be proven by the lines alone. */
const attentionReasons = [
  'publicApiRemoved',
  'publicApiChanged',
  'closedToAdditions',
  'minimumVersionRaised',
  'schemaMigration',
  'settingRemoved',
  'fallbackRemoved',
  'defaultChanged',
  'majorUpgrade',
  'permissionChanged',
  'testSkipped',
  'debugOnlyCheck',
  'openedToAdditions',
  'minimumVersionLowered',
  'noteInCode',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
