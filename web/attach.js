import { attempt, element } from './call.js';
import { write } from './write.js';

/** A job that began before this page was loaded, here or on another device, is shown as if it had begun here. */
const job = JSON.parse(element('progress').dataset.job ?? '{}');
attempt(null, () => write(async () => job, job.languageCode));
