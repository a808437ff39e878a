import { findBrowser, installBrowser } from '../test/browser/find-browser.ts';

if (!findBrowser()) installBrowser();
console.log(`The browser for the tests is ${findBrowser()}.`);
