/** What the tests of every module share: leak checks, a recording meter, a movable clock, golden files, waiting on a condition. */
@NullMarked
package dev.ron.kernel.testkit;

import org.jspecify.annotations.NullMarked;
