/** Thrown where somebody else holds the job by now, or everybody has given it up: there is nothing left to do for it. */
export class WorkLost extends Error {}
