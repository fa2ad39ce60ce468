/** What turns a topology, a configuration record and a start method into a running, observable, stoppable service. */
@NullMarked
package dev.ron.service.lifecycle;

import org.jspecify.annotations.NullMarked;
