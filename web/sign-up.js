import { call, element } from './call.js';
import { onSubmit } from './form.js';

const form = /** @type {HTMLFormElement} */ (element('sign-up'));

onSubmit(form, async (given) => {
  await call('POST', '/auth/signup', { body: { language: given('language') } });
  location.replace(form.dataset.back ?? '/');
});
