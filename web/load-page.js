import { showLocalDays } from './days.js';

/**
 * Loads a page of the service as a document whose scripts do not run.
 * @param {string} address
 * @returns {Promise<Document>}
 */
export const loadPage = (address) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.onload = () => {
      if (request.status !== 200 || !request.responseXML) return reject();
      showLocalDays(request.responseXML);
      resolve(request.responseXML);
    };
    request.onerror = reject;
    request.send();
  });
