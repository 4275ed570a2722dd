// Written so that any Node can read it and say what is missing.
var wanted = [20, 19];
var have = process.versions.node.split('.').map(Number);
if (have[0] < wanted[0] || (have[0] === wanted[0] && have[1] < wanted[1])) {
  console.error(
    'Schemalign needs Node ' + wanted.join('.') + ' or later; this is Node ' + process.versions.node + '. Get it from https://nodejs.org/',
  );
  process.exit(1);
}
