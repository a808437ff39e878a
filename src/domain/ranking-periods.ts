const day = 24 * 60 * 60 * 1000;

/** How far back a period looks; null is for ever. */
export const rankingPeriods = {
  daily: day,
  weekly: 7 * day,
  monthly: 30 * day,
  yearly: 365 * day,
  all: null,
} as const;

export type RankingPeriod = keyof typeof rankingPeriods;

export const rankingPeriodNames = ['daily', 'weekly', 'monthly', 'yearly', 'all'] as const;
