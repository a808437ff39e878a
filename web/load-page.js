import { showLocalDays } from './days.js';

/**
 * A page of the service, as a document of which nothing runs.
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
