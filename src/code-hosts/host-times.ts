/**
 * Hosts report times that are absurd, and that not every database can store: what lies outside of these becomes one of them,
 * or none.
 */
export const earliestTime = 0;
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
